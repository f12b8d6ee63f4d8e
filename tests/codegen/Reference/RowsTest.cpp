// Reductions and norms of rows: values by hand, rules of NaN and empty rows, and the bounds.
#include "Reference/Rows.h"
#include "Support.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace heed;
using reference::Number;
using reference::Tensor;

namespace {

constexpr double u = 0x1p-24;

Tensor rowsOf(std::vector<double> values, std::int64_t rows = 1) {
  return tensorOf({rows, static_cast<std::int64_t>(values.size()) / rows}, values);
}

std::vector<double> largest(std::vector<double> row) {
  return valuesOf(reference::amax(rowsOf(row), {1}, -infinite));
}

Number whereLargest(Tensor row) { return reference::argmax(row, {1}).elements[0]; }

/// The largest share of their bounds that results reach; more than 1 where one lies outside.
double largestShare(const std::vector<float> &results, const Tensor &expected) {
  double share = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Number &element = expected.elements[i];
    share = std::max(share, std::fabs(results[i] - element.value) / element.bound);
  }
  return share;
}

/// Rows of 300 floats around `centre`.
Tensor randomRow(int seed, double centre) {
  Tensor x = randomTensor({1, 300}, seed);
  for (Number &element : x.elements)
    element.value = static_cast<float>(element.value + centre);
  return x;
}

} // namespace

TEST_CASE("sums of rows") {
  CHECK(valuesOf(reference::sum(rowsOf({1, 2, 3, -4, 5, 6}, 2), {2}, u)) == std::vector<double>{6, 7});
  CHECK(reference::sum(tensorOf({1, 3}, {1, 2, 3}), {1}, 0).elements[0].bound == 0);
  CHECK(reference::sum(reference::zeros({1, 0}), {1}, u).elements[0].value == 0);
  CHECK(std::isnan(reference::sum(rowsOf({1, nan_value}), {1}, u).elements[0].value));
  CHECK(reference::sum(rowsOf({1, -infinite}), {1}, u).elements[0].value == -infinite);
}

TEST_CASE("the largest of a row and where it is") {
  CHECK(largest({1, 3, 2, 3}) == std::vector<double>{3});
  CHECK(largest({-infinite, -infinite}) == std::vector<double>{-infinite});
  CHECK(largest({}) == std::vector<double>{-infinite});
  CHECK(std::isnan(largest({1, nan_value, 3})[0]));
  CHECK(whereLargest(rowsOf({1, 3, 2, 3})).value == 1);
  CHECK(whereLargest(rowsOf({1, 3, 2, 3})).bound == 0);
  CHECK(whereLargest(rowsOf({-infinite, -infinite})).value == 0);
  CHECK(whereLargest(rowsOf({7, infinite, nan_value, nan_value})).value == 2);
  CHECK(whereLargest(rowsOf({})).value == 0);
}

TEST_CASE("argmax is uncertain where rounding decides") {
  Tensor row = rowsOf({1, 3, 0, 3.5, 2, 3.25});
  row.elements[3].bound = 0.25;
  CHECK(whereLargest(row).value == 3);
  CHECK(whereLargest(row).bound == 2);
  row.elements[0].bound = infinite;
  CHECK(whereLargest(row).bound == 3);
}

TEST_CASE("norms of rows worked out by hand") {
  Tensor x = rowsOf({1, 3, 5, 5}, 2), gain = tensorOf({2}, {2, 10}), bias = tensorOf({2}, {0.5, -1});
  CHECK(valuesOf(reference::layerNorm(x, nullptr, nullptr, 0.25, u)) ==
        std::vector<double>{-1 / std::sqrt(1.25), 1 / std::sqrt(1.25), 0, 0});
  std::vector<double> whole = valuesOf(reference::layerNorm(x, &gain, &bias, 0, u));
  CHECK(whole[0] == -1.5);
  CHECK(whole[1] == 9);
  CHECK(std::isnan(whole[2])); // 0 / 0
  CHECK(valuesOf(reference::layerNorm(x, &gain, &bias, 1e-5, u))[3] == -1);
  Tensor y = rowsOf({1, 7, 0, 0}, 2);
  CHECK(valuesOf(reference::rmsNorm(y, &gain, 0.01, u)) ==
        std::vector<double>{2 / std::sqrt(25.01), 70 / std::sqrt(25.01), 0, 0});
  for (double element : valuesOf(reference::rmsNorm(rowsOf({1, nan_value}), nullptr, 0, u)))
    CHECK(std::isnan(element));
}

TEST_CASE("the bounds of norms cover float arithmetic, far from 0 too, and are not idle") {
  double share = 0;
  for (int seed = 0; seed < 60; ++seed) {
    double centre = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 30 : -4000;
    Tensor x = randomRow(seed, centre);
    float sum = 0, squares = 0, deviations = 0;
    for (const Number &element : x.elements) {
      sum += float(element.value);
      squares += float(element.value) * float(element.value);
    }
    float mean = sum / 300;
    for (const Number &element : x.elements)
      deviations += (float(element.value) - mean) * (float(element.value) - mean);
    std::vector<float> layer, rms;
    for (const Number &element : x.elements) {
      layer.push_back((float(element.value) - mean) / std::sqrt(deviations / 300 + 1e-5f));
      rms.push_back(float(element.value) / std::sqrt(squares / 300 + 1e-6f));
    }
    Tensor normalised = reference::layerNorm(x, nullptr, nullptr, 1e-5f, u);
    double layerShare = largestShare(layer, normalised);
    double rmsShare = largestShare(rms, reference::rmsNorm(x, nullptr, 1e-6f, u));
    CHECK(layerShare <= 1);
    CHECK(rmsShare <= 1);
    CHECK(normalised.elements[0].bound < 1e-5 * (1 + std::fabs(centre)));
    share = std::max({share, layerShare, rmsShare});
  }
  CHECK(share > 0.01);
}

TEST_CASE("rows of narrow elements are rounded at the end only") {
  Tensor x = randomRow(1, 5);
  double narrow = 0x1p-8;
  Tensor y = reference::layerNorm(x, nullptr, nullptr, 1e-5, narrow);
  for (const Number &element : y.elements)
    CHECK(element.bound < 1.1 * narrow * std::fabs(element.value) + 1e-4);
  Number total = reference::sum(x, {1}, narrow).elements[0];
  CHECK(total.bound < 1.1 * narrow * total.value);
}

TEST_CASE("a row of equal elements is known up to epsilon, and unknown without it") {
  Tensor x = rowsOf({1e4 / 3, 1e4 / 3, 1e4 / 3});
  Number some = reference::layerNorm(x, nullptr, nullptr, 1e-5, u).elements[0];
  CHECK(some.value == 0);
  CHECK(std::isfinite(some.bound));
  x.elements[0].value += 1e-9;
  CHECK(reference::layerNorm(x, nullptr, nullptr, 0, u).elements[0].bound == infinite);
}
