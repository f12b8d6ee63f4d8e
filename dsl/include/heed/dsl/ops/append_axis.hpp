#pragma once
/// \file
/// append_axis(x): one more axis, of extent 1, at the right.

#include <heed/dsl/tensor.hpp>

namespace heed {

/// y[…, 0] = x[…]: what has lost its last axis, such as log_sum_exp, stands beside tensors that have it.
/// (…) -> (…, 1)
/// Errors: six axes already.
constexpr tensor append_axis(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("append_axis", where, {x});
  if (owner == nullptr)
    return {};
  detail::shape result = x.shape();
  if (result.rank == spec::max_rank) {
    owner->fail(where, "append_axis: x is ", result, ", at most ", spec::max_rank - 1, " axes are needed");
    return {};
  }
  result.push(owner->intern(1, "append_axis", where));
  return detail::make(owner, spec::op::append_axis, x.type(), result, {x}, where);
}

} // namespace heed
