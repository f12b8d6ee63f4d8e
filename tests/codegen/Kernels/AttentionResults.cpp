// Results beside the output: statistics, log-sum-exp, sinks, empty rows.
#include "AttentionFamilies.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::kernels;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr double tolerance = 2e-6;

AttentionKernel fullKernel() {
  AttentionKernel kernel;
  kernel.name = "results";
  kernel.scale = 0.3;
  return kernel;
}

/// Query i sees keys [i - 20, i - 2]: rows 0 and 1 see nothing.
AttentionKernel windowKernel() {
  AttentionKernel kernel = fullKernel();
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score, at.key >= at.query - 20 && at.key <= at.query - 2};
  };
  kernel.program.visibleKeys = [](Expr first, Expr last, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{first - 20, last - 1};
  };
  return kernel;
}

PlainScore window(double score, int, int query, int key) {
  return {score, key >= query - 20 && key <= query - 2};
}

} // namespace

TEST_CASE("statistics and log-sum-exp, with and without an output", "[attention]") {
  for (bool hasValue : {true, false})
    for (bool statistics : {true, false})
      for (bool hasWindow : {true, false}) {
        AttentionKernel kernel = hasWindow ? windowKernel() : fullKernel();
        kernel.hasValue = hasValue;
        kernel.statistics = statistics;
        kernel.hasSink = hasWindow && statistics;
        kernel.logSumExp = true;
        const Families families(kernel);
        for (auto [queries, keys] : {std::pair{1, 1}, {5, 7}, {65, 129}, {3, 0}, {0, 5}, {40, 33}}) {
          AttentionProblem problem(2, queries, keys, 16, 9);
          INFO(queries << "x" << keys << ", " << hasValue << statistics << hasWindow);
          CHECK(families.worst(problem, hasWindow ? window : plainScore) < tolerance);
        }
      }
}

TEST_CASE("an empty row has log-sum-exp -infinity, sum 0 and the lowest number as its largest",
          "[attention]") {
  AttentionKernel kernel = windowKernel();
  kernel.statistics = kernel.logSumExp = true;
  AttentionProblem problem(1, 3, 5, 8, 8);
  const auto check = [&](const auto &tiles) {
    problem.run(tiles);
    for (int row : {0, 1}) {
      CHECK(problem.logSumExp[row] == -INFINITY);
      CHECK(problem.sum[row] == 0);
      CHECK(problem.largest[row] == std::numeric_limits<float>::lowest());
    }
    CHECK(problem.sum[2] == 1);
  };
  check(RowsTiles(kernel, blockTile()));
  check(DepthTiles(kernel, 2, 32));
}

TEST_CASE("empty rows give NaN where asked", "[attention]") {
  AttentionKernel kernel = windowKernel();
  kernel.nanForEmpty = true;
  const Families families(kernel);
  AttentionProblem problem(2, 70, 75, 16, 9);
  CHECK(families.worst(problem, window) < tolerance);
  CHECK(std::isnan(problem.out[0]));
}

TEST_CASE("a sink takes its share of the weights", "[attention]") {
  for (bool nanForEmpty : {false, true}) {
    AttentionKernel kernel = windowKernel();
    kernel.hasSink = kernel.logSumExp = true;
    kernel.nanForEmpty = nanForEmpty;
    const Families families(kernel);
    for (float sink : {0.5f, -1e30f, 60.0f, 1e30f, -INFINITY, std::nanf("")}) {
      AttentionProblem problem(2, 40, 33, 16, 9);
      problem.sinks[1] = sink;
      INFO(sink);
      CHECK(families.worst(problem, window) < tolerance);
    }
  }
  AttentionKernel kernel = fullKernel();
  kernel.hasSink = true;
  const Families families(kernel);
  AttentionProblem problem(3, 40, 33, 16, 9);
  CHECK(families.worst(problem, plainScore) < tolerance);
}

TEST_CASE("NaN in a visible score reaches the statistics of its row", "[attention]") {
  AttentionKernel kernel = fullKernel();
  kernel.hasValue = false;
  kernel.logSumExp = true;
  AttentionProblem problem(1, 4, 40, 8, 8);
  problem.q[2 * 8 + 3] = std::nanf("");
  const auto check = [&](const auto &tiles) {
    problem.run(tiles);
    for (int row = 0; row < 4; ++row)
      CHECK(std::isnan(problem.logSumExp[row]) == (row == 2));
  };
  check(RowsTiles(kernel, blockTile()));
  check(DepthTiles(kernel, 2, 32));
}
