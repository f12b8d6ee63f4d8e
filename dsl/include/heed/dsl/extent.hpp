#pragma once
/// \file
/// The length of an axis: a number, a symbol that is known when the kernel is called, or a product and
/// quotient of those.

#include <heed/dsl/graph_data.hpp>
#include <heed/dsl/text.hpp>

#include <concepts>
#include <cstdint>

namespace heed {

namespace detail {

constexpr std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b) {
  while (b != 0) {
    const std::int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/// Not constexpr, so that a constant expression which comes here is an error that quotes the name.
inline void extent_number_found_a_symbolic_extent_a_number_is_needed() {}

} // namespace detail

/// `constexpr extent batch{"batch"};` is known at run time and equal wherever the name is equal; `extent n =
/// 64;` is a number. `batch * 2`, `width / heads` are derived extents. A quotient must turn out whole: of
/// numbers when the spec is compiled, of symbols when the kernel is called.
///
/// Errors are reported by the operation that uses the extent: more than spec::max_factors different symbols,
/// a division by zero, a product beyond 63 bits.
class extent {
public:
  struct factor {
    const char *symbol = nullptr;
    int power = 0;
  };

  template <std::integral number>
  constexpr extent(number value) : numerator_(static_cast<std::int64_t>(value)) {}
  constexpr explicit extent(const char *symbol) : factor_count_(1), factors_{{symbol, 1}} {}

  constexpr bool is_number() const { return factor_count_ == 0 && denominator_ == 1 && fault_ == nullptr; }

  /// The number. Evaluating it for a symbolic extent is an error of the constant expression.
  constexpr std::int64_t number() const {
    if (!is_number())
      detail::extent_number_found_a_symbolic_extent_a_number_is_needed();
    return numerator_;
  }

  friend constexpr extent operator*(extent left, const extent &right) { return left.scale(right, 1); }
  friend constexpr extent operator/(extent left, const extent &right) { return left.scale(right, -1); }

  friend constexpr bool operator==(const extent &left, const extent &right) {
    const extent ratio = left / right;
    return ratio.is_number() && ratio.numerator_ == 1;
  }

  constexpr std::int64_t numerator() const { return numerator_; }
  constexpr std::int64_t denominator() const { return denominator_; }
  constexpr int factor_count() const { return factor_count_; }
  constexpr const factor &at(int i) const { return factors_[i]; }
  /// What makes this no extent at all, in words; null for a good one.
  constexpr const char *fault() const { return fault_; }

  /// numerator / denominator with no factors yet; multiply_factor adds them.
  static constexpr extent fraction(std::int64_t numerator, std::int64_t denominator) {
    extent result = numerator;
    result.denominator_ = denominator;
    return result;
  }

  constexpr void multiply_factor(const char *symbol, int power) {
    for (int i = 0; i < factor_count_; ++i)
      if (detail::compare(factors_[i].symbol, symbol) == 0) {
        factors_[i].power += power;
        if (factors_[i].power == 0)
          factors_[i] = factors_[--factor_count_];
        return;
      }
    if (factor_count_ == spec::max_factors)
      fault_ = "it is a product of more than 4 different symbols";
    else
      factors_[factor_count_++] = {symbol, power};
  }

private:
  constexpr extent scale(const extent &by, int power) const {
    extent result = *this;
    if (by.fault_ != nullptr)
      result.fault_ = by.fault_;
    if (power < 0 && by.numerator_ == 0)
      result.fault_ = "it is divided by zero";
    if (result.fault_ != nullptr)
      return result;
    const std::int64_t up = power > 0 ? by.numerator_ : by.denominator_;
    const std::int64_t down = power > 0 ? by.denominator_ : by.numerator_;
    // Reducing crosswise first keeps intermediate products small.
    const std::int64_t left = detail::greatest_common_divisor(numerator_, down);
    const std::int64_t right = detail::greatest_common_divisor(up, denominator_);
    if (__builtin_mul_overflow(numerator_ / left, up / right, &result.numerator_) ||
        __builtin_mul_overflow(denominator_ / right, down / left, &result.denominator_))
      result.fault_ = "it exceeds 63 bits";
    if (result.denominator_ < 0) {
      result.numerator_ = -result.numerator_;
      result.denominator_ = -result.denominator_;
    }
    for (int i = 0; i < by.factor_count_; ++i)
      result.multiply_factor(by.factors_[i].symbol, power * by.factors_[i].power);
    return result;
  }

  std::int64_t numerator_ = 1;
  std::int64_t denominator_ = 1;
  int factor_count_ = 0;
  factor factors_[spec::max_factors] = {};
  const char *fault_ = nullptr;
};

} // namespace heed
