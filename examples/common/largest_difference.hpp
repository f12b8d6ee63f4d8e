#pragma once
/// \file
/// How far single-precision results are from expected ones.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

/// Largest absolute difference; infinite when a value is NaN or the counts differ.
inline double largest_difference(const std::vector<float> &found, const std::vector<double> &expected) {
  if (found.size() != expected.size())
    return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::fabs(found[i] - expected[i]);
    largest =
        std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(largest, difference);
  }
  return largest;
}
