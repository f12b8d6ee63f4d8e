#pragma once
/// \file
/// slice(x, axis, start, length): a part of one axis.

#include <heed/dsl/ops/axis.hpp>

namespace heed {
namespace detail {

/// Whether start + length <= whole for every size: both must be the same expression as the whole, up to a
/// number.
constexpr bool lies_inside(const extent &start, const extent &length, const extent &whole) {
  const extent part = length / whole;
  if (start.numerator() < 0 || part.fault() != nullptr || part.factor_count() != 0)
    return false;
  if (start.numerator() == 0)
    return part.numerator() <= part.denominator();
  const extent before = start / whole;
  if (before.fault() != nullptr || before.factor_count() != 0)
    return false;
  __extension__ typedef __int128 wide;
  return wide(before.numerator()) * part.denominator() + wide(part.numerator()) * before.denominator() <=
         wide(before.denominator()) * part.denominator();
}

} // namespace detail

/// y[i, s, j] = x[i, start + s, j] for s < length. (…, n, …) -> (…, length, …); axes count from the left, or
/// from the right as -1, -2, …. A view, no work. Start and length are numbers on an axis that is one, else
/// multiples of its extent, such as extent("d") and 2 * extent("d") of 3 * extent("d"): so it is known that
/// the part lies inside, whatever the sizes are.
/// Errors: an axis that does not exist; a part of which that is not known.
constexpr tensor slice(const tensor &x, int axis, const extent &start, const extent &length,
                       location where = {}) {
  detail::builder *const owner = detail::begin("slice", where, {x});
  const int along = owner == nullptr ? -1 : detail::axis_from_left(owner, "slice", x, axis, where);
  if (along < 0)
    return {};
  detail::shape result = x.shape();
  const extent whole = owner->user_extent(result.axes[along]);
  result.axes[along] = owner->intern(length, "slice", where);
  if (!owner->failed() && start.fault() == nullptr && !detail::lies_inside(start, length, whole))
    owner->fail(where, "slice: the start is ", start, " and the length ", length, ", axis ", axis, " of x ",
                x.shape(), " is ", whole,
                whole.is_number()
                    ? ", a part of it is needed"
                    : ", a part of it is needed, in multiples of that extent; write tabulate for "
                      "positions that depend on the call");
  std::int16_t first = -1;
  if (start.numerator() != 0 || start.fault() != nullptr)
    first = owner->intern(start, "slice", where);
  return owner->failed() ? tensor()
                         : detail::make_on_axis(owner, spec::op::slice, result, x, along, where, first);
}

} // namespace heed
