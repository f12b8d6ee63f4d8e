#pragma once
/// \file
/// matmul(left, right): matrix product over the last two axes.

#include <heed/dsl/ops/elementwise.hpp>

namespace heed {

/// y[…, m, n] = Σ_k left[…, m, k] · right[…, k, n]; leading axes broadcast from the right.
/// (…, m, k), (…, k, n) -> (…, m, n)
/// f16, bf16 and f32 mix; y has the type of the left operand. Sums are f32, f64 of f64.
/// Errors: fewer than two axes; inner or leading extents that differ; types that do not mix.
constexpr tensor matmul(const tensor &left, const tensor &right, location where = {}) {
  detail::builder *const owner = detail::begin("matmul", where, {left, right});
  if (owner == nullptr)
    return {};
  const detail::shape l = left.shape(), r = right.shape();
  if (l.rank < 2 || r.rank < 2)
    owner->fail(where, "matmul: left is ", l, ", right is ", r,
                ", at least two axes are needed on both sides");
  else if (!detail::mixes(left.type(), right.type()))
    owner->fail(where, "matmul: left is ", left.type(), ", right is ", right.type(),
                ", one floating type is needed");
  else if (l.from_right(0) != r.from_right(1))
    owner->fail(where, "matmul: left is ", l, ", right is ", r,
                ", the last axis of left must equal the last but one of right",
                l.from_right(0) == r.from_right(0)   ? "; did you mean transpose(right)?"
                : l.from_right(1) == r.from_right(1) ? "; did you mean transpose(left)?"
                                                     : "");
  if (owner->failed())
    return {};
  detail::shape left_batch = l, right_batch = r, result;
  left_batch.rank -= 2;
  right_batch.rank -= 2;
  if (!detail::broadcast(owner, "matmul (leading axes)", left_batch, right_batch, result, where))
    return {};
  result.push(l.from_right(1));
  result.push(r.from_right(0));
  return detail::make(owner, spec::op::matmul, left.type(), result, {left, right}, where);
}

} // namespace heed
