#include "Verify/Comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace heed::tools {

namespace {

/// Second-order terms and the reference's own rounding.
constexpr double slack = 1.01;

/// Results that a kernel can't hold: beyond the largest float a finite value may come out as infinity.
bool overflows(spec::dtype type, double value, double bound) {
  double largest = type == spec::dtype::f16 ? 65504 : std::numeric_limits<float>::max();
  return isFloat(type) && type != spec::dtype::f64 && std::fabs(value) + bound > largest;
}

bool agrees(spec::dtype type, double got, const reference::Number &expected) {
  if (std::isinf(expected.bound))
    return true;
  if (std::isnan(expected.value))
    return std::isnan(got);
  if (got == expected.value)
    return true;
  if (std::isinf(got))
    return overflows(type, expected.value, expected.bound) &&
           std::signbit(got) == std::signbit(expected.value);
  return std::fabs(got - expected.value) <= slack * expected.bound;
}

} // namespace

Comparison compare(const HostTensor &got, const reference::Tensor &expected) {
  Comparison result;
  Shape index(got.shape.size(), 0);
  for (std::int64_t i = 0; i < got.size(); ++i) {
    double value = static_cast<double>(got.at(i));
    const reference::Number &number = expected.elements[i];
    if (std::isfinite(value) && std::isfinite(number.value)) {
      double difference = std::fabs(value - number.value);
      result.largestDifference = std::max(result.largestDifference, difference);
      if (difference > 0)
        result.largestShare = std::max(result.largestShare, difference / number.bound);
    }
    if (result.firstWrong.empty() && !agrees(got.type, value, number))
      result.firstWrong = fmt::format("{}: got {:.9g}, expected {:.9g} ± {:.2g}", reference::shapeText(index),
                                      value, number.value, number.bound);
    reference::advance(index, got.shape);
  }
  return result;
}

} // namespace heed::tools
