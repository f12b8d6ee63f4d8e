// Elements of 64 bits: accumulated in 64 bits by an exponential of that accuracy.
#include "AttentionFamilies.h"

#include "Target/CpuLevel.h"
#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::kernels;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr double tolerance = 1e-14;

AttentionKernel doubleKernel() {
  AttentionKernel kernel;
  kernel.name = "double";
  kernel.types = AttentionTypes::all(Halide::Float(64));
  kernel.scale = 0.3;
  return kernel;
}

AttentionKernel causalKernel() {
  AttentionKernel kernel = doubleKernel();
  kernel.program.captures = {{Halide::Float(32)}};
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score + Halide::cast<double>(element(0, {})), at.key <= at.query};
  };
  return kernel;
}

void addBias(ProblemOf<double> &problem) {
  CaptureData bias = {.headStride = 0, .rowStride = problem.keys, .keyStride = 1};
  for (int n = 0; n < problem.queries * problem.keys; ++n)
    bias.elements.push_back(std::sin(float(n)));
  problem.addCapture(bias);
}

PlainProgram causal(const ProblemOf<double> &problem) {
  return [&](double score, int head, int query, int key) {
    return PlainScore{score + problem.captures[0].at(head, query, key), key <= query};
  };
}

} // namespace

TEST_CASE("attention in double precision", "[attention][double]") {
  AttentionKernel kernel = doubleKernel();
  kernel.statistics = kernel.logSumExp = kernel.hasSink = true;
  const Families families(kernel);
  for (auto [queries, keys, depth, valueDepth] : {std::array{1, 1, 1, 1},
                                                  {5, 7, 3, 5},
                                                  {65, 129, 16, 33},
                                                  {3, 0, 4, 4},
                                                  {0, 5, 4, 4},
                                                  {17, 200, 40, 8}}) {
    ProblemOf<double> problem(2, queries, keys, depth, valueDepth);
    INFO(queries << "x" << keys << ", depth " << depth << ", value depth " << valueDepth);
    CHECK(families.worst(problem, plainScore) < tolerance);
  }
}

TEST_CASE("a mask and a bias in double precision, and the weights", "[attention][double]") {
  AttentionKernel kernel = causalKernel();
  kernel.statistics = true;
  const Families families(kernel);
  const MatrixTiles matrix(kernel, blockTile());
  ProblemOf<double> problem(2, 70, 75, 19, 21);
  addBias(problem);
  problem.v[74 * 21] = std::nan(""); // no query sees key 74
  CHECK(families.worst(problem, causal(problem)) < tolerance);
  problem.run(matrix);
  CHECK(problem.matrixError(kernel, causal(problem)) < tolerance);
}

TEST_CASE("every CPU level in double precision", "[attention][double]") {
  const AttentionKernel kernel = causalKernel();
  for (const heed_cpu_level level : hostLevels()) {
    const CpuTarget target = cpuTarget(level);
    const AttentionSchedule schedule = defaultSchedule(AttentionSizes{}, target.lanes);
    ProblemOf<double> problem(1, 70, 75, 19, 21);
    addBias(problem);
    INFO(levelName(level).str());
    problem.run(RowsTiles(kernel, schedule.rows, target));
    CHECK(problem.error(kernel, causal(problem)) < tolerance);
    problem.run(RowsTiles(kernel, schedule.small, target));
    CHECK(problem.error(kernel, causal(problem)) < tolerance);
    problem.run(DepthTiles(kernel, 1, 64, target));
    CHECK(problem.error(kernel, causal(problem)) < tolerance);
  }
}
