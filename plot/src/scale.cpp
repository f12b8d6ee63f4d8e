#include "heed/plot/scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace heed::plot {

namespace {

/// Wide enough for the difference of any two doubles.
using wide = long double;

wide range_of(const value_scale &scale) { return wide(scale.high) - wide(scale.low); }

/// printf's text with a minus sign in place of the hyphen.
std::string printed(const char *format, int precision, double value) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, format, precision, value == 0 ? 0.0 : value);
  std::string text = buffer;
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos;)
    text.replace(at, 1, "\u2212");
  return text;
}

/// The value with digits down to 10^exponent.
std::string with_digits(double value, wide largest, int exponent) {
  if (largest < 1e5L && exponent >= -5)
    return printed("%.*f", std::max(0, -exponent), value);
  if (value == 0)
    return "0";
  int leading = static_cast<int>(std::floor(std::log10(std::fabs(value)) + 1e-9));
  return printed("%.*e", std::clamp(leading - exponent, 0, 16), value);
}

wide largest_of(const value_scale &scale) { return std::max(std::fabs(scale.low), std::fabs(scale.high)); }

/// The least of 1, 2 and 5 times a power of ten that divides the range into at most seven parts.
struct tick_step {
  wide length;
  int exponent;
};

tick_step step_of(wide range) {
  int exponent = static_cast<int>(std::floor(std::log10(range / 7)));
  for (int digits : {1, 2, 5}) {
    wide length = digits * std::pow(wide(10), exponent);
    if (range / length <= 7)
      return {length, exponent};
  }
  return {std::pow(wide(10), exponent + 1), exponent + 1};
}

} // namespace

double value_scale::part(double value) const {
  return static_cast<double>(std::clamp((wide(value) - low) / range_of(*this), wide(0), wide(1)));
}

value_scale scale_of(std::span<const matrix> matrices) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const matrix &m : matrices)
    for (double value : m.values)
      if (std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (low > high || (low == 0 && high == 0))
    return {0, 1};
  // Of nearly equal numbers no tick tells one from another.
  if (wide(high) - low < 1e-12L * std::max(std::fabs(low), std::fabs(high)))
    return {std::min(low, 0.0), std::max(high, 0.0)};
  return {low, high};
}

std::vector<scale_tick> ticks_of(const value_scale &scale) {
  wide range = range_of(scale), slack = range * 1e-9L;
  tick_step step = step_of(range);
  std::vector<scale_tick> ticks;
  wide first = std::ceil((scale.low - slack) / step.length);
  for (int i = 0; (first + i) * step.length <= scale.high + slack; ++i) {
    double value = static_cast<double>((first + i) * step.length);
    ticks.push_back({scale.part(value), with_digits(value, largest_of(scale), step.exponent)});
  }
  return ticks;
}

std::string value_text(double value, const value_scale &scale) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value > 0 ? "\u221e" : "\u2212\u221e";
  int exponent = static_cast<int>(std::lround(std::log10(range_of(scale)))) - 2;
  return with_digits(value, std::max(largest_of(scale), std::fabs(wide(value))), exponent);
}

} // namespace heed::plot
