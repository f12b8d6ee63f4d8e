#pragma once
/// \file
/// merge(a, b): attention over all keys from attention over two parts of them.

#include <heed/dsl/ops/append_axis.hpp>
#include <heed/dsl/ops/arithmetic.hpp>
#include <heed/dsl/ops/comparison.hpp>
#include <heed/dsl/ops/where.hpp>

namespace heed {

/// The result of attention over some of the keys, with what merging it needs.
struct attention_part {
  tensor output; ///< (b, h, q, e)
  tensor lse;    ///< (b, h, q): log-sum-exp of the scores, -infinity where no key is visible
};

namespace detail {

constexpr bool check_parts(builder *owner, const attention_part &a, const attention_part &b, location where) {
  for (const attention_part &part : {a, b}) {
    bool fits = part.output.rank() == 4 && part.lse.rank() == 3;
    for (int i = 0; fits && i < 3; ++i)
      fits = part.output.data().shape[i] == part.lse.data().shape[i];
    if (!fits)
      owner->fail(where, "merge: the output of a part is ", part.output.shape(), ", its lse is ",
                  part.lse.shape(),
                  ", (batch, heads, queries, depth) and (batch, heads, queries) are needed");
  }
  for (int i = 0; !owner->failed() && i < 4; ++i)
    if (a.output.data().shape[i] != b.output.data().shape[i])
      owner->fail(where, "merge: one output is ", a.output.shape(), ", the other is ", b.output.shape(),
                  ", one shape is needed");
  return !owner->failed();
}

} // namespace detail

/// Two results of attention to different keys as one: with weights w = exp(lse - max) of each row,
/// output = (w₁ o₁ + w₂ o₂) / (w₁ + w₂) and lse = max + log(w₁ + w₂). A row that is empty in one part is the
/// other's, whatever its elements are; one that is empty in both gives zeros and -infinity.
/// (b, h, q, e) and (b, h, q) twice -> the same, the output in the type of the first. Errors: shapes that
/// differ; types that do not mix.
constexpr attention_part merge(const attention_part &a, const attention_part &b, location where = {}) {
  detail::builder *const owner = detail::begin("merge", where, {a.output, a.lse, b.output, b.lse});
  if (owner == nullptr || !detail::check_parts(owner, a, b, where))
    return {};
  const auto here = [&](const auto &x) { return detail::operand(x, where); };
  const auto is_empty = [&](const tensor &lse) { return here(lse) == here(-infinity); };

  const tensor top = max(here(a.lse), here(b.lse));
  const tensor base = heed::where(is_empty(top), here(0), here(top), where);
  const tensor w1 = exp(here(a.lse) - here(base), where), w2 = exp(here(b.lse) - here(base), where);
  const tensor sum = here(w1) + here(w2);
  const auto share = [&](const attention_part &of, const tensor &weight) {
    return heed::where(append_axis(is_empty(of.lse), where), here(0),
                       here(append_axis(weight, where)) * here(of.output), where);
  };
  const tensor divisor = append_axis(heed::where(is_empty(top), here(1), here(sum), where), where);
  const tensor output = here(here(share(a, w1)) + here(share(b, w2))) / here(divisor);
  return {detail::converted(output, a.output.type(), where), here(log(sum, where)) + here(base)};
}

} // namespace heed
