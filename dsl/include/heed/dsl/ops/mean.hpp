#pragma once
/// \file
/// mean(x): over the last axis.

#include <heed/dsl/ops/append_axis.hpp>
#include <heed/dsl/ops/arithmetic.hpp>
#include <heed/dsl/ops/convert.hpp>
#include <heed/dsl/ops/drop_axis.hpp>
#include <heed/dsl/ops/sum.hpp>
#include <heed/dsl/ops/tabulate.hpp>
#include <heed/dsl/ops/transpose.hpp>

namespace heed {
namespace detail {

/// sum / extent of a result that has axes.
constexpr tensor quotient(const tensor &total, const extent &by, dtype type, location where) {
  return tabulate(
      total.owner(), type, total.shape(),
      [&](auto... positions) {
        const scalar_operand at[spec::max_rank] = {{positions, where}...};
        return scalar_operand(total(at[0], at[1], at[2], at[3], at[4], at[5], where), where) /
               scalar_operand(by, where);
      },
      where);
}

} // namespace detail

/// y[…] = Σ_j x[…, j] / k, NaN where there are no elements. (…, k) -> (…). Of f16 and bf16 the sum is one of
/// f32.
/// Derivative: dx[…, j] = dy[…] / k.
/// Errors: no axes; not a floating type.
constexpr tensor mean(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("mean", where, {x});
  if (owner == nullptr)
    return {};
  if (x.rank() < 1)
    owner->fail(where, "mean: x is a number, at least one axis is needed");
  else if (!detail::is_floating(x.type()))
    owner->fail(where, "mean: the element type is ", x.type(),
                ", a floating type is needed; write sum(x) for integers");
  if (owner->failed())
    return {};
  const extent count = x.size(-1);
  const dtype wide = detail::at_least_f32(x.type());
  if (count.is_number()) {
    const tensor total = sum(detail::converted(x, wide, where), where);
    const tensor share = detail::operand(total, where) / detail::operand(count.number(), where);
    return detail::converted(share, x.type(), where);
  }
  if (x.rank() == 1) // programs need an axis of their result
    return drop_axis(mean(transpose(append_axis(x, where), where), where), 0, where);
  return detail::quotient(sum(detail::converted(x, wide, where), where), count, x.type(), where);
}

} // namespace heed
