#pragma once
/// \file
/// Operators of a scalar and a tensor of rank 0: `k <= q + offset` reads the tensor, as `k <= q + offset()`
/// does. What program.hpp says of the operators holds for them.

#include <heed/dsl/element.hpp>

namespace heed {
namespace detail {

/// A tensor that stands beside a scalar, and the line where it was written.
struct tensor_operand {
  tensor from;
  location where;

  constexpr tensor_operand(const tensor &of, location at = {}) : from(of), where(at) {}

  /// Its one element. Errors: axes.
  constexpr scalar_operand read() const { return {from({}, {}, {}, {}, {}, {}, where), where}; }

  /// What stands beside it, with the line.
  constexpr scalar_operand beside(const scalar &other) const { return {other, where}; }
};

} // namespace detail

constexpr scalar operator+(const scalar &a, detail::tensor_operand b) { return b.beside(a) + b.read(); }
constexpr scalar operator+(detail::tensor_operand a, const scalar &b) { return a.read() + a.beside(b); }
constexpr scalar operator-(const scalar &a, detail::tensor_operand b) { return b.beside(a) - b.read(); }
constexpr scalar operator-(detail::tensor_operand a, const scalar &b) { return a.read() - a.beside(b); }
constexpr scalar operator*(const scalar &a, detail::tensor_operand b) { return b.beside(a) * b.read(); }
constexpr scalar operator*(detail::tensor_operand a, const scalar &b) { return a.read() * a.beside(b); }
constexpr scalar operator/(const scalar &a, detail::tensor_operand b) { return b.beside(a) / b.read(); }
constexpr scalar operator/(detail::tensor_operand a, const scalar &b) { return a.read() / a.beside(b); }
constexpr scalar operator%(const scalar &a, detail::tensor_operand b) { return b.beside(a) % b.read(); }
constexpr scalar operator%(detail::tensor_operand a, const scalar &b) { return a.read() % a.beside(b); }
constexpr scalar operator<(const scalar &a, detail::tensor_operand b) { return b.beside(a) < b.read(); }
constexpr scalar operator<(detail::tensor_operand a, const scalar &b) { return a.read() < a.beside(b); }
constexpr scalar operator<=(const scalar &a, detail::tensor_operand b) { return b.beside(a) <= b.read(); }
constexpr scalar operator<=(detail::tensor_operand a, const scalar &b) { return a.read() <= a.beside(b); }
constexpr scalar operator>(const scalar &a, detail::tensor_operand b) { return b.beside(a) > b.read(); }
constexpr scalar operator>(detail::tensor_operand a, const scalar &b) { return a.read() > a.beside(b); }
constexpr scalar operator>=(const scalar &a, detail::tensor_operand b) { return b.beside(a) >= b.read(); }
constexpr scalar operator>=(detail::tensor_operand a, const scalar &b) { return a.read() >= a.beside(b); }
constexpr scalar operator&&(const scalar &a, detail::tensor_operand b) { return b.beside(a) && b.read(); }
constexpr scalar operator&&(detail::tensor_operand a, const scalar &b) { return a.read() && a.beside(b); }
constexpr scalar operator||(const scalar &a, detail::tensor_operand b) { return b.beside(a) || b.read(); }
constexpr scalar operator||(detail::tensor_operand a, const scalar &b) { return a.read() || a.beside(b); }
constexpr scalar operator==(const scalar &a, detail::tensor_operand b) { return b.beside(a) == b.read(); }
constexpr scalar operator==(detail::tensor_operand a, const scalar &b) { return a.read() == a.beside(b); }
constexpr scalar operator!=(const scalar &a, detail::tensor_operand b) { return b.beside(a) != b.read(); }
constexpr scalar operator!=(detail::tensor_operand a, const scalar &b) { return a.read() != a.beside(b); }
constexpr scalar min(const scalar &a, detail::tensor_operand b) { return min(b.beside(a), b.read()); }
constexpr scalar min(detail::tensor_operand a, const scalar &b) { return min(a.read(), a.beside(b)); }
constexpr scalar max(const scalar &a, detail::tensor_operand b) { return max(b.beside(a), b.read()); }
constexpr scalar max(detail::tensor_operand a, const scalar &b) { return max(a.read(), a.beside(b)); }

} // namespace heed
