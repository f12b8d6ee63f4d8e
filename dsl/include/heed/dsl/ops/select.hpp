#pragma once
/// \file
/// select(x, axis, i): one element of an axis, such as the last token.

#include <heed/dsl/ops/append_axis.hpp>
#include <heed/dsl/ops/drop_axis.hpp>
#include <heed/dsl/ops/slice.hpp>
#include <heed/dsl/ops/tabulate.hpp>

namespace heed {
namespace detail {

/// One element of a symbolic axis, by look-up.
constexpr tensor look_up(builder *owner, const tensor &x, int axis, std::int64_t i, location where) {
  shape result;
  for (int a = 0; a < x.rank(); ++a)
    if (a != axis)
      result.push(x.data().shape[a]);
  const extent size = x.size(axis);
  return tabulate(
      owner, x.type(), result,
      [&](auto... positions) {
        const scalar_operand others[] = {{positions, where}...};
        scalar_operand at[spec::max_rank];
        for (int a = 0; a < x.rank(); ++a)
          if (a != axis)
            at[a] = others[a < axis ? a : a - 1];
        at[axis] = i >= 0
                       ? scalar_operand(i, where)
                       : scalar_operand(scalar_operand(materialize(owner, {size, where}, "select"), where) +
                                            scalar_operand(i, where),
                                        where);
        return x(at[0], at[1], at[2], at[3], at[4], at[5], where);
      },
      where);
}

} // namespace detail

/// y[j, k] = x[j, i, k], where j are the indices left of the axis; i counts from the right as -1, -2, …, as
/// axes do. (…, n, …) -> (…, …). A view where the extent is a number; else a copy of the element, which is
/// the nearest one if the call has fewer.
/// Errors: an axis that does not exist; an element outside of an extent that is a number.
constexpr tensor select(const tensor &x, int axis, std::int64_t i, location where = {}) {
  detail::builder *const owner = detail::begin("select", where, {x});
  const int along = owner == nullptr ? -1 : detail::axis_from_left(owner, "select", x, axis, where);
  if (along < 0)
    return {};
  const extent whole = x.size(along);
  if (!whole.is_number() && x.rank() == 1)
    return drop_axis(select(append_axis(x, where), 0, i, where), 0, where);
  if (!whole.is_number())
    return detail::look_up(owner, x, along, i, where);
  const std::int64_t from_left = i < 0 ? i + whole.number() : i;
  if (from_left < 0 || from_left >= whole.number()) {
    owner->fail(where, "select: the element is ", i, ", axis ", axis, " of x ", x.shape(), " is ", whole,
                ", one of its elements is needed");
    return {};
  }
  return drop_axis(slice(x, along, from_left, 1, where), along, where);
}

} // namespace heed
