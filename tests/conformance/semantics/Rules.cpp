// The rules of docs/semantics.md on compiled kernels: few queries, tens and hundreds are three families of
// kernels, and keys come in less than a vector, less than a chunk and several chunks.
#include "Problem.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace semantics;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

Problem anyProblem() {
  const int queries = GENERATE(1, 3, 20, 300), keys = GENERATE(3, 70, 1200);
  CAPTURE(queries, keys);
  return {queries, keys};
}

/// Equal to the last bit, NaN included.
bool same(const Array &a, const Array &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

bool allFinite(const Array &array) {
  return std::all_of(array.begin(), array.end(), [](float x) { return std::isfinite(x); });
}

} // namespace

TEST_CASE("an empty row gives 0, a log-sum-exp of minus infinity, and NaN if asked") {
  Problem problem = anyProblem();
  const int query = problem.queries - 1;
  problem.hideRow(1, query);
  Result result = problem.byTensor();
  Array strict = problem.nanForEmpty();
  for (int h = 0; h < heads; ++h) {
    const int row = problem.row(1, h, query);
    CHECK(result.lse[row / depth] == -infinite);
    for (int i = row; i < row + depth; ++i) {
      CHECK(result.y[i] == 0);
      CHECK(std::isnan(strict[i]));
      result.y[i] = strict[i] = 0;
    }
  }
  CHECK(allFinite(result.y));
  CHECK(same(result.y, strict));
}

TEST_CASE("a length of 0 leaves every row of its entry empty") {
  const Problem problem = anyProblem();
  const Result result = problem.byLength({0, problem.keys});
  for (int i = 0; i < problem.row(1, 0, 0); ++i)
    REQUIRE(result.y[i] == 0);
  CHECK(allFinite(result.y));
  for (int i = 0; i < problem.row(1, 0, 0) / depth; ++i)
    REQUIRE(result.lse[i] == -infinite);
}

TEST_CASE("a key that a tensor hides influences nothing, whatever it holds") {
  Problem problem = anyProblem();
  const int hidden[] = {0, problem.keys - 1};
  for (int key : hidden)
    problem.hideKey(1, key);
  const Result expected = problem.byTensor();
  const Array strict = problem.nanForEmpty();
  for (float number : {std::nanf(""), infinite, -infinite, 1e30f, 3e38f}) {
    CAPTURE(number);
    for (int key : hidden) {
      problem.spoil(problem.k, 1, key, number);
      problem.spoil(problem.v, 1, key, number);
    }
    const Result result = problem.byTensor();
    CHECK(same(result.y, expected.y));
    CHECK(same(result.lse, expected.lse));
    CHECK(same(problem.nanForEmpty(), strict));
  }
}

TEST_CASE("a key beyond a length influences nothing, nor does its bias") {
  Problem problem = anyProblem();
  const std::vector<std::int64_t> lengths = {problem.keys - 1, problem.keys / 2 + 1};
  const Result expected = problem.byLength(lengths);
  CHECK(allFinite(expected.y));
  for (float number : {std::nanf(""), infinite, 1e30f}) {
    CAPTURE(number);
    for (int b = 0; b < batch; ++b)
      for (int key = int(lengths[b]); key < problem.keys; ++key) {
        problem.spoil(problem.k, b, key, number);
        problem.spoil(problem.v, b, key, number);
      }
    for (int query = 0; query < problem.queries; ++query)
      problem.bias[query * problem.keys + problem.keys - 1] = number;
    const Result result = problem.byLength(lengths);
    CHECK(same(result.y, expected.y));
    CHECK(same(result.lse, expected.lse));
  }
}

TEST_CASE("a score of minus infinity hides its value, and a row of nothing else is empty") {
  Problem problem = anyProblem();
  const int key = problem.keys / 2;
  for (int query = 0; query < problem.queries; ++query)
    problem.bias[query * problem.keys + key] = -infinite;
  std::fill_n(problem.bias.begin(), problem.keys, -infinite);
  const Result expected = problem.bySum();
  CHECK(allFinite(expected.y));
  for (int h = 0; h < heads; ++h) {
    CHECK(expected.lse[problem.row(1, h, 0) / depth] == -infinite);
    CHECK(expected.y[problem.row(1, h, 0)] == 0);
  }
  for (float number : {std::nanf(""), infinite, 1e30f}) {
    CAPTURE(number);
    problem.spoil(problem.v, 1, key, number);
    const Result result = problem.bySum();
    CHECK(same(result.y, expected.y));
    CHECK(same(result.lse, expected.lse));
  }
}

TEST_CASE("NaN in a visible score makes its row NaN, and no other") {
  Problem problem = anyProblem();
  const int key = problem.keys / 2, query = problem.queries / 2;
  for (int other = 0; other < problem.queries; ++other)
    if (other != query)
      problem.hide(0, other, key);
  Result expected = problem.byTensor();
  problem.spoil(problem.k, 0, key, std::nanf(""));
  const Result result = problem.byTensor();
  for (int h = 0; h < heads; ++h) {
    std::fill_n(&expected.y[problem.row(0, h, query)], depth, std::nanf(""));
    expected.lse[problem.row(0, h, query) / depth] = std::nanf("");
  }
  CHECK(same(result.y, expected.y));
  CHECK(same(result.lse, expected.lse));
}

TEST_CASE("a row of nothing but a finite fill averages all values") {
  Problem problem = anyProblem();
  const int query = problem.queries / 2;
  problem.hideRow(0, query);
  const Array y = problem.finiteFill();
  for (int h = 0; h < heads; ++h)
    for (int i = 0; i < depth; ++i) {
      double sum = 0;
      for (int key = 0; key < problem.keys; ++key)
        sum += problem.v[(h * problem.keys + key) * depth + i];
      CHECK(std::abs(y[problem.row(0, h, query) + i] - sum / problem.keys) < 2e-6);
    }
  CHECK(allFinite(y));
}
