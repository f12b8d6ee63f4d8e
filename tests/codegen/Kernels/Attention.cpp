// Every family of attention tiles against the naive evaluation, over awkward sizes.
#include "AttentionFamilies.h"

#include "Target/CpuLevel.h"
#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::kernels;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr double tolerance = 2e-6;

AttentionKernel plainKernel(double scale) {
  AttentionKernel kernel;
  kernel.name = "plain";
  kernel.scale = scale;
  return kernel;
}

} // namespace

TEST_CASE("attention of any size equals the naive evaluation", "[attention]") {
  const Families families(plainKernel(0.3));
  for (auto [queries, keys] :
       {std::pair{1, 1}, {5, 7}, {17, 31}, {64, 64}, {65, 129}, {3, 0}, {0, 5}, {2, 33}})
    for (auto [depth, valueDepth] : {std::pair{1, 1}, {3, 5}, {16, 16}, {40, 33}, {59, 4}}) {
      AttentionProblem problem(2, queries, keys, depth, valueDepth);
      INFO(queries << "x" << keys << ", depth " << depth << ", value depth " << valueDepth);
      CHECK(families.worst(problem, plainScore) < tolerance);
    }
}

TEST_CASE("depths that are known when compiling", "[attention]") {
  for (auto [depth, valueDepth] :
       {std::pair{1, 1}, {3, 5}, {40, 80}, {64, 64}, {59, 128}, {256, 160}, {1024, 96}}) {
    AttentionKernel kernel = plainKernel(1 / std::sqrt(depth));
    kernel.depth = depth;
    kernel.valueDepth = valueDepth;
    const Families families(kernel);
    AttentionProblem problem(1, 19, 43, depth, valueDepth);
    INFO("depth " << depth << ", value depth " << valueDepth);
    CHECK(families.worst(problem, plainScore) < tolerance);
  }
}

TEST_CASE("a causal mask, several blocks and chunks", "[attention]") {
  AttentionKernel kernel = plainKernel(0.25);
  kernel.program = causalProgram();
  const Families families(kernel);
  const PlainProgram causal = [](double score, int, int query, int key) {
    return PlainScore{score, key <= query};
  };
  for (auto [queries, keys] : {std::pair{1, 1}, {5, 3}, {3, 5}, {70, 70}, {130, 130}, {129, 200}}) {
    AttentionProblem problem(2, queries, keys, 16, 8);
    INFO(queries << "x" << keys);
    CHECK(families.worst(problem, causal) < tolerance);
  }
}

TEST_CASE("a window skips tiles on both sides and leaves empty rows zero", "[attention]") {
  AttentionKernel kernel = plainKernel(0.25);
  kernel.program.extents = 1;
  // Query i sees keys [i - w, i - 2]: rows 0 and 1 see nothing.
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &extents) {
    return ScoreAndVisible{score, at.key >= at.query - extents[0] && at.key <= at.query - 2};
  };
  kernel.program.visibleKeys = [](Expr first, Expr last, Expr, const ElementAt &, const Exprs &extents) {
    return KeyRange{first - extents[0], last - 1};
  };
  kernel.program.fullKeys = [](Expr first, Expr last, Expr, const ElementAt &, const Exprs &extents) {
    return KeyRange{last - extents[0], first - 1};
  };
  const Families families(kernel);
  const PlainProgram window = [](double score, int, int query, int key) {
    return PlainScore{score, key >= query - 20 && key <= query - 2};
  };
  for (auto [queries, keys] : {std::pair{1, 4}, {40, 40}, {150, 150}, {200, 90}}) {
    AttentionProblem problem(1, queries, keys, 8, 8);
    problem.extents = {20};
    INFO(queries << "x" << keys);
    CHECK(families.worst(problem, window) < tolerance);
    if (queries > 120)
      CHECK(problem.out[0] == 0.0f);
  }
}

TEST_CASE("captured elements, one tensor per stride pattern", "[attention]") {
  const int heads = 2, queries = 37, keys = 41;
  for (bool alongKeys : {false, true})
    for (bool alongRows : {false, true}) {
      AttentionKernel kernel = plainKernel(0.25);
      for (int n = 0; n < 2; ++n)
        kernel.program.captures.push_back({Halide::Float(32), alongKeys, alongRows});
      kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element,
                                const Exprs &) {
        return ScoreAndVisible{score + element(0, {}), element(1, {}) != 0.0f};
      };
      const Families families(kernel);
      for (bool alongHeads : {false, true}) {
        AttentionProblem problem(heads, queries, keys, 8, 8);
        const int perKey = alongKeys ? keys : 1, perRow = alongRows ? queries : 1;
        for (int capture : {0, 1}) {
          CaptureData data;
          for (int n = 0; n < perKey * perRow * (alongHeads ? heads : 1); ++n)
            data.elements.push_back(capture == 0 ? std::sin(n) : n % 3 != 1);
          data.keyStride = alongKeys ? 1 : 0;
          data.rowStride = alongRows ? perKey : 0;
          data.headStride = alongHeads ? perKey * perRow : 0;
          problem.addCapture(data);
        }
        const PlainProgram program = [&](double score, int head, int query, int key) {
          return PlainScore{score + problem.captures[0].at(head, query, key),
                            problem.captures[1].at(head, query, key) != 0};
        };
        INFO("along keys " << alongKeys << ", rows " << alongRows << ", heads " << alongHeads);
        CHECK(families.worst(problem, program) < tolerance);
      }
    }
}

TEST_CASE("indices of head, query and key reach the program", "[attention]") {
  AttentionKernel kernel = plainKernel(0.25);
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{
        score + Halide::cast<float>(at.head + 1) * Halide::cast<float>(at.key - at.query) * 0.125f, Expr()};
  };
  const Families families(kernel);
  const PlainProgram program = [](double score, int head, int query, int key) {
    return PlainScore{score + (head + 1) * (key - query) * 0.125, true};
  };
  AttentionProblem problem(3, 70, 45, 8, 8);
  CHECK(families.worst(problem, program) < tolerance);
}

TEST_CASE("every CPU level gives the same", "[attention]") {
  AttentionKernel kernel = plainKernel(0.25);
  kernel.program = causalProgram();
  const PlainProgram causal = [](double score, int, int query, int key) {
    return PlainScore{score, key <= query};
  };
  for (const heed_cpu_level level : hostLevels()) {
    const CpuTarget target = cpuTarget(level);
    const AttentionSchedule schedule = defaultSchedule(AttentionSizes{}, target.lanes);
    AttentionProblem problem(1, 70, 75, 19, 21);
    INFO(levelName(level).str());
    problem.run(AttentionProblem::Rows(kernel, schedule.rows, target));
    CHECK(problem.error(kernel, causal) < tolerance);
    problem.run(AttentionProblem::Rows(kernel, schedule.small, target));
    CHECK(problem.error(kernel, causal) < tolerance);
    problem.run(AttentionProblem::Depth(kernel, 1, 64, target));
    CHECK(problem.error(kernel, causal) < tolerance);
  }
}
