#pragma once
/// \file
/// What the reductions of the last axis share: sum, amax, argmax and mean.

#include <heed/dsl/tensor.hpp>

namespace heed::detail {

/// (…, k) -> (…) of numbers; `type` is the result's.
constexpr tensor reduction(spec::op kind, const char *word, const tensor &x, dtype type, location where) {
  builder *const owner = begin(word, where, {x});
  if (owner == nullptr)
    return {};
  if (x.rank() < 1)
    owner->fail(where, word, ": x is a number, at least one axis is needed");
  else if (x.type() == dtype::b8)
    owner->fail(where, word,
                ": the element type is b8, a number type is needed; write where(condition, a, b)");
  if (owner->failed())
    return {};
  shape result = x.shape();
  --result.rank;
  return make(owner, kind, type, result, {x}, where);
}

} // namespace heed::detail
