#pragma once
/// \file
/// What the element-by-element operations share, and their functions: sqrt, exp, log, tanh, erf, sigmoid,
/// abs, min, max.

#include <heed/dsl/ops/convert.hpp>
#include <heed/dsl/tensor.hpp>

#include <cstdint>

namespace heed {
namespace detail {

/// Shapes are aligned at the right; an axis of extent 1, or one that is missing, is repeated. False after a
/// fault.
constexpr bool broadcast(builder *owner, const char *word, const shape &left, const shape &right,
                         shape &result, location where) {
  const shape &longer = left.rank >= right.rank ? left : right,
              &shorter = left.rank >= right.rank ? right : left;
  result = longer;
  for (int i = 0; i < shorter.rank; ++i) {
    const std::int16_t a = longer.from_right(i), b = shorter.from_right(i);
    if (a != b && owner->is_one(a))
      result.axes[longer.rank - 1 - i] = b;
    else if (a != b && !owner->is_one(b)) {
      owner->fail(where, word, ": left is ", left, ", right is ", right, ", the extents ",
                  owner->user_extent(left.from_right(i)), " and ", owner->user_extent(right.from_right(i)),
                  " must be equal or one of them 1 (axes are matched from the right)");
      return false;
    }
  }
  return true;
}

/// Which element types an operation takes and what it makes.
enum class type_rule : unsigned char {
  number,     ///< integers or floats; the wider of their types
  floating,   ///< floats; the same type
  comparison, ///< integers or floats; b8
  logical,    ///< any, nonzero is true; b8
};

constexpr bool accepts(builder *owner, type_rule rule, const char *word, dtype type, location where) {
  if (rule == type_rule::floating && !is_floating(type))
    owner->fail(where, word, ": the element type is ", type, ", a floating type is needed");
  else if ((rule == type_rule::number || rule == type_rule::comparison) && type == dtype::b8)
    owner->fail(where, word,
                ": the element type is b8, a number type is needed; write where(condition, a, b)");
  return !owner->failed();
}

/// Whether elements of an integer type can be the number.
constexpr bool represents(dtype type, double number) {
  const double bound = type == dtype::i32 ? 2147483648.0 : type == dtype::i64 ? 9223372036854775808.0 : 2;
  return number >= -bound && number < bound &&
         number == static_cast<double>(static_cast<std::int64_t>(number));
}

/// The type of a choice or of arithmetic: the wider one of types that mix; a number has that of its partner.
constexpr dtype common_type(const operand &left, const operand &right) {
  if (left.is_number)
    return right.value.type();
  const dtype type = left.value.type();
  return !right.is_number && mixes(type, right.value.type()) ? wider(type, right.value.type()) : type;
}

/// A tensor of the operand in this type, if it mixes with its own; a number takes it.
constexpr tensor with_type(builder *owner, const operand &from, dtype type, const char *word) {
  if (!from.is_number)
    return mixes(from.value.type(), type) ? converted(from.value, type, from.where) : from.value;
  if (from.number != from.number)
    owner->fail(from.where, word,
                ": the number is NaN, a number is needed; sqrt of a symbolic extent is NaN");
  else if (!is_floating(type) && !represents(type, from.number))
    owner->fail(from.where, word, ": the number is ", from.number, " beside elements of type ", type,
                ", one of that type is needed");
  return owner->failed() ? tensor() : make_constant(owner, from.number, type, from.where);
}

constexpr dtype result_type(type_rule rule, dtype type) {
  return rule == type_rule::comparison || rule == type_rule::logical ? dtype::b8 : type;
}

constexpr tensor unary(spec::op kind, type_rule rule, const char *word, const tensor &x, location where) {
  builder *const owner = begin(word, where, {x});
  if (owner == nullptr || !accepts(owner, rule, word, x.type(), where))
    return {};
  return make(owner, kind, result_type(rule, x.type()), x.shape(), {x}, where);
}

constexpr tensor binary(spec::op kind, type_rule rule, const char *word, const operand &left,
                        const operand &right) {
  const location where = left.where;
  builder *owner = nullptr;
  if (left.is_number)
    owner = begin(word, where, {right.value});
  else if (right.is_number)
    owner = begin(word, where, {left.value});
  else
    owner = begin(word, where, {left.value, right.value});
  if (owner == nullptr)
    return {};
  const dtype type = common_type(left, right);
  const tensor a = with_type(owner, left, type, word), b = with_type(owner, right, type, word);
  if (owner->failed() || !accepts(owner, rule, word, type, where))
    return {};
  if (rule != type_rule::logical && a.type() != b.type()) {
    owner->fail(where, word, ": left is ", a.type(), ", right is ", b.type(), ", one element type is needed");
    return {};
  }
  shape result;
  if (!broadcast(owner, word, a.shape(), b.shape(), result, where))
    return {};
  return make(owner, kind, result_type(rule, type), result, {a, b}, where);
}

} // namespace detail

/// Element by element, of floats: the shape and type stay.
constexpr tensor sqrt(const tensor &x, location where = {}) {
  return detail::unary(spec::op::square_root, detail::type_rule::floating, "sqrt", x, where);
}
constexpr tensor exp(const tensor &x, location where = {}) {
  return detail::unary(spec::op::exponential, detail::type_rule::floating, "exp", x, where);
}
constexpr tensor log(const tensor &x, location where = {}) {
  return detail::unary(spec::op::logarithm, detail::type_rule::floating, "log", x, where);
}
constexpr tensor tanh(const tensor &x, location where = {}) {
  return detail::unary(spec::op::hyperbolic_tangent, detail::type_rule::floating, "tanh", x, where);
}
/// 2 / √π · ∫₀ˣ exp(-t²) dt
constexpr tensor erf(const tensor &x, location where = {}) {
  return detail::unary(spec::op::error_function, detail::type_rule::floating, "erf", x, where);
}
/// 1 / (1 + exp(-x))
constexpr tensor sigmoid(const tensor &x, location where = {}) {
  return detail::unary(spec::op::logistic, detail::type_rule::floating, "sigmoid", x, where);
}

/// Element by element, of integers or floats.
constexpr tensor abs(const tensor &x, location where = {}) {
  return detail::unary(spec::op::absolute, detail::type_rule::number, "abs", x, where);
}

/// The smaller or greater of two elements; shapes broadcast. One side may be a number. f16, bf16 and f32 mix:
/// the result has the wider type, f32 of f16 and bf16.
constexpr tensor min(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::minimum, detail::type_rule::number, "min", left, right);
}
constexpr tensor max(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::maximum, detail::type_rule::number, "max", left, right);
}

} // namespace heed
