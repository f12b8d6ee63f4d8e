#pragma once
/// \file
/// drop_axis(x, axis): without an axis of extent 1.

#include <heed/dsl/ops/axis.hpp>

namespace heed {

/// y[i, j] = x[i, 0, j], where i are the indices left of the axis. (…, 1, …) -> (…, …); axes count from the
/// left, or from the right as -1, -2, ….
/// Errors: an axis that does not exist; an extent that is not 1.
constexpr tensor drop_axis(const tensor &x, int axis, location where = {}) {
  detail::builder *const owner = detail::begin("drop_axis", where, {x});
  const int along = owner == nullptr ? -1 : detail::axis_from_left(owner, "drop_axis", x, axis, where);
  if (along < 0)
    return {};
  const detail::shape from = x.shape();
  detail::shape result;
  for (int i = 0; i < from.rank; ++i)
    if (i != along)
      result.push(from.axes[i]);
  if (!owner->is_one(from.axes[along]))
    owner->fail(where, "drop_axis: axis ", axis, " of x ", from, " is ", owner->user_extent(from.axes[along]),
                ", an extent of 1 is needed; write select(x, axis, i) for one of several");
  return owner->failed() ? tensor()
                         : detail::make_on_axis(owner, spec::op::drop_axis, result, x, along, where);
}

} // namespace heed
