#pragma once
/// \file
/// where(condition, then, otherwise): a choice element by element.

#include <heed/dsl/number.hpp>
#include <heed/dsl/ops/elementwise.hpp>

namespace heed {

/// `then` where the condition is nonzero, else `otherwise`: where(visible, scores, -infinity). The condition
/// has any type; the choices are tensors of one type or numbers (two numbers make f32); f16, bf16 and f32
/// mix, as in arithmetic. All three shapes broadcast. Errors: extents that differ, choices of types that do
/// not mix.
constexpr tensor where(const tensor &condition, detail::operand then, detail::operand otherwise,
                       location where = {}) {
  detail::builder *const owner = detail::begin("where", where,
                                               {condition, then.is_number ? condition : then.value,
                                                otherwise.is_number ? condition : otherwise.value});
  if (owner == nullptr)
    return {};
  const dtype type =
      then.is_number && otherwise.is_number ? dtype::f32 : detail::common_type(then, otherwise);
  const tensor a = detail::with_type(owner, then, type, "where");
  const tensor b = detail::with_type(owner, otherwise, type, "where");
  if (owner->failed())
    return {};
  if (a.type() != b.type()) {
    owner->fail(where, "where: the choices are ", a.type(), " and ", b.type(),
                ", one element type is needed");
    return {};
  }
  detail::shape chosen, result;
  if (!detail::broadcast(owner, "where", a.shape(), b.shape(), chosen, where) ||
      !detail::broadcast(owner, "where", condition.shape(), chosen, result, where))
    return {};
  return detail::make(owner, spec::op::where, type, result, {condition, a, b}, where);
}

} // namespace heed
