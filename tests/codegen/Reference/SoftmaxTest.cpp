// Softmax and log-sum-exp: rules of empty rows, sinks, and the bounds.
#include "Reference/Softmax.h"
#include "Support.h"

#include <catch2/catch.hpp>

using namespace heed;
using reference::Tensor;

namespace {

constexpr double u = 0x1p-24;

std::vector<double> softmax(std::vector<double> row, bool nanForEmpty = false) {
  Tensor x = tensorOf({1, static_cast<std::int64_t>(row.size())}, row);
  return valuesOf(reference::softmax(x, nullptr, nanForEmpty, u));
}

reference::Number logSumExp(std::vector<double> row) {
  Tensor x = tensorOf({1, static_cast<std::int64_t>(row.size())}, row);
  return reference::logSumExp(x, nullptr, {1}, u).elements[0];
}

} // namespace

TEST_CASE("a row without a visible score is 0, or NaN if asked") {
  CHECK(softmax({-infinite, -infinite}) == std::vector<double>{0, 0});
  for (double weight : softmax({-infinite, -infinite}, true))
    CHECK(std::isnan(weight));
  CHECK(softmax({0, -infinite}, true) == std::vector<double>{1, 0});
  CHECK(logSumExp({-infinite, -infinite}).value == -infinite);
  CHECK(logSumExp({}).value == -infinite);
  CHECK(logSumExp({}).bound == 0);
}

TEST_CASE("log-sum-exp keeps its precision far from 0") {
  CHECK(logSumExp({-60000, -60000}).value == Approx(-60000 + std::log(2)).epsilon(1e-15));
  CHECK(logSumExp({60000, -infinite}).value == 60000);
  CHECK(logSumExp({-1e30, -1e30}).value == -1e30);
  CHECK(std::isnan(logSumExp({nan_value, 0}).value));
}

TEST_CASE("the bound of log-sum-exp covers float arithmetic in either unit of the exponent and is not idle") {
  double largestShare = 0;
  for (int seed = 0; seed < 200; ++seed) {
    Tensor x = randomTensor({1, 300}, seed);
    float factor = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 30 : 1e4f;
    float largest = -INFINITY, sum = 0, sum2 = 0;
    for (auto &element : x.elements) {
      element.value = static_cast<float>(element.value) * factor;
      largest = std::max(largest, static_cast<float>(element.value));
    }
    const float toBits = 1.44269504f;
    for (const auto &element : x.elements) {
      sum += std::exp(static_cast<float>(element.value) - largest);
      sum2 += std::exp2(static_cast<float>(element.value) * toBits - largest * toBits);
    }
    reference::Number expected = reference::logSumExp(x, nullptr, {1}, u).elements[0];
    float results[] = {largest + std::log(sum), (largest * toBits + std::log2(sum2)) * 0.693147181f};
    for (float result : results) {
      CHECK(std::fabs(result - expected.value) <= expected.bound);
      largestShare = std::max(largestShare, std::fabs(result - expected.value) / expected.bound);
    }
    CHECK(expected.bound < 1e-5 * std::max(1.0, std::fabs(expected.value)));
  }
  CHECK(largestShare > 0.01);
}

TEST_CASE("a sink per head has a share of the denominator only") {
  Tensor scores = tensorOf({1, 2, 2, 2}, {0, 0, 0, -infinite, 0, 0, -infinite, -infinite});
  Tensor sink = tensorOf({2}, {std::log(2), -infinite});
  CHECK(valuesOf(reference::softmax(scores, &sink, true, u)) ==
        std::vector<double>{.25, .25, 1. / 3, 0, .5, .5, 0, 0});
  std::vector<double> sums = valuesOf(reference::logSumExp(scores, &sink, {1, 2, 2}, u));
  CHECK(sums[0] == Approx(std::log(4)));
  CHECK(sums[1] == Approx(std::log(3)));
  CHECK(sums[2] == Approx(std::log(2)));
  CHECK(sums[3] == -infinite);
  // The sink may be the largest by far, or the only one.
  Tensor one = tensorOf({1, 1, 2, 1}, {-1e4, -infinite}), large = tensorOf({1}, {1e4});
  CHECK(valuesOf(reference::softmax(one, &large, false, u)) == std::vector<double>{0, 0});
  CHECK(valuesOf(reference::logSumExp(one, &large, {1, 1, 2}, u)) == std::vector<double>{1e4, 1e4});
}
