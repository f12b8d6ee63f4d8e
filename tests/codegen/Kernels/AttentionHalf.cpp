// Operands of 16 bits, alone and mixed: against the naive evaluation of the same rounded inputs.
#include "AttentionFamilies.h"

#include "Target/CpuLevel.h"
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <sstream>

using namespace heed;
using namespace heed::kernels;
using Halide::bfloat16_t;
using Halide::Expr;
using Halide::float16_t;
using Exprs = std::vector<Expr>;

namespace {

/// Weights of a bf16 v and results of bf16 are rounded by up to 2^-8 of each, half of that on average.
constexpr double tolerance = 4e-3;

template <class Problem> AttentionKernel kernelOf(double scale = 0.3) {
  AttentionKernel kernel;
  kernel.name = "half";
  kernel.types = Problem::types();
  kernel.scale = scale;
  return kernel;
}

PlainScore causal(double score, int, int query, int key) { return {score, key <= query}; }

} // namespace

TEMPLATE_TEST_CASE("halves of any size", "[attention][half]", ProblemOf<bfloat16_t>, ProblemOf<float16_t>,
                   (ProblemOf<float, bfloat16_t, bfloat16_t>), (ProblemOf<bfloat16_t, bfloat16_t, float>),
                   (ProblemOf<float16_t, float, bfloat16_t>)) {
  AttentionKernel kernel = kernelOf<TestType>();
  kernel.logSumExp = kernel.hasSink = true;
  const Families families(kernel);
  for (auto [queries, keys] :
       {std::pair{1, 1}, {5, 7}, {17, 31}, {64, 64}, {65, 129}, {3, 0}, {0, 5}, {2, 33}})
    for (auto [depth, valueDepth] : {std::pair{1, 1}, {3, 5}, {16, 16}, {40, 33}, {59, 4}}) {
      TestType problem(2, queries, keys, depth, valueDepth);
      INFO(queries << "x" << keys << ", depth " << depth << ", value depth " << valueDepth);
      CHECK(families.worst(problem, plainScore) < tolerance);
    }
}

TEMPLATE_TEST_CASE("halves of depths that are known when compiling", "[attention][half]",
                   ProblemOf<bfloat16_t>, ProblemOf<float16_t>) {
  for (auto [depth, valueDepth] :
       {std::pair{1, 1}, {3, 5}, {40, 80}, {64, 64}, {59, 128}, {256, 160}, {1024, 96}}) {
    AttentionKernel kernel = kernelOf<TestType>(1 / std::sqrt(depth));
    kernel.depth = depth;
    kernel.valueDepth = valueDepth;
    const Families families(kernel);
    TestType problem(1, 19, 43, depth, valueDepth);
    INFO("depth " << depth << ", value depth " << valueDepth);
    CHECK(families.worst(problem, plainScore) < tolerance);
  }
}

TEMPLATE_TEST_CASE("halves under a causal mask, grouped heads", "[attention][half]", ProblemOf<bfloat16_t>,
                   ProblemOf<float16_t>) {
  AttentionKernel kernel = kernelOf<TestType>();
  kernel.program = causalProgram();
  kernel.grouped = true;
  const Families families(kernel);
  for (auto [queries, keys] :
       {std::pair{1, 1}, {5, 3}, {3, 5}, {70, 70}, {130, 130}, {129, 200}, {300, 301}}) {
    TestType problem(4, queries, keys, 16, 8, 1, 2);
    INFO(queries << "x" << keys);
    CHECK(families.worst(problem, causal) < tolerance);
  }
}

TEMPLATE_TEST_CASE("groups of rows of halves see a window", "[attention][half]", ProblemOf<bfloat16_t>,
                   ProblemOf<float16_t>) {
  AttentionKernel kernel = kernelOf<TestType>();
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score, at.key >= at.query - 21 && at.key <= at.query - 2};
  };
  kernel.program.visibleKeys = [](Expr first, Expr last, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{first - 21, last - 1};
  };
  kernel.program.fullKeys = [](Expr first, Expr last, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{last - 21, first - 1};
  };
  const PlainProgram window = [](double score, int, int query, int key) {
    return PlainScore{score, key >= query - 21 && key <= query - 2};
  };
  RowsTile grouped = blockTile();
  grouped.vectors = grouped.valueVectors = 2;
  for (const RowsTile &tile : {blockTile(), grouped}) {
    const RowsTiles tiles(kernel, tile);
    for (auto [queries, keys] : {std::pair{1, 4}, {40, 40}, {151, 151}, {200, 90}}) {
      TestType problem(1, queries, keys, 8, 8);
      problem.v[0] = typename std::decay_t<decltype(problem.v[0])>(NAN);
      INFO(queries << "x" << keys);
      problem.run(tiles);
      CHECK(problem.error(kernel, window) < tolerance);
    }
  }
}

TEST_CASE("no key counts twice or not at all between chunks of an odd number of keys", "[attention][half]") {
  using Problem = ProblemOf<bfloat16_t>;
  RowsTile tile = blockTile();
  tile.queryBlock *= 2; // rows of one register tile see less than all
  tile.keyTile = 5;
  tile.keyChunk = 15;
  for (bool isCausal : {false, true})
    for (bool logSumExp : {false, true}) { // weights are rounded after they are summed, or before
      AttentionKernel kernel = kernelOf<Problem>();
      kernel.logSumExp = logSumExp;
      if (isCausal)
        kernel.program = causalProgram();
      const RowsTiles tiles(kernel, tile);
      for (int keys : {14, 15, 16, 30, 31, 97}) {
        Problem problem(1, 97, keys, 16, 8);
        problem.run(tiles);
        INFO(keys << " keys, causal " << isCausal << ", log-sum-exp " << logSumExp);
        CHECK(problem.error(kernel, isCausal ? PlainProgram(causal) : PlainProgram(plainScore)) < tolerance);
      }
    }
}

TEMPLATE_TEST_CASE("halves under a mask from operands, with and without key lists", "[attention][half]",
                   ProblemOf<bfloat16_t>, ProblemOf<float16_t>) {
  for (bool listed : {false, true}) {
    AttentionKernel kernel = kernelOf<TestType>();
    kernel.listed = listed;
    kernel.program.captures = {{Halide::Float(32)}};
    kernel.program.apply = [](Expr score, const ScorePosition &, const ElementAt &element, const Exprs &) {
      return ScoreAndVisible{score, element(0, {}) != 0.0f};
    };
    const Families families(kernel);
    for (auto [queries, keys] : {std::pair{33, 65}, {70, 300}}) {
      TestType problem(2, queries, keys, 24, 20);
      CaptureData mask = {.headStride = 0, .rowStride = keys, .keyStride = 1};
      for (int query = 0; query < queries; ++query)
        for (int key = 0; key < keys; ++key)
          mask.elements.push_back(key / 64 == query / 16 || (key * 7 + query) % 11 == 0);
      problem.addCapture(mask);
      const PlainProgram program = [&](double score, int head, int query, int key) {
        return PlainScore{score, problem.captures[0].at(head, query, key) != 0};
      };
      INFO(queries << "x" << keys << ", listed " << listed);
      CHECK(families.worst(problem, program) < tolerance);
    }
  }
}

TEMPLATE_TEST_CASE("halves whose weights are changed or are the scores", "[attention][half]",
                   ProblemOf<bfloat16_t>, ProblemOf<float16_t>) {
  AttentionKernel kernel = kernelOf<TestType>();
  SECTION("changed") {
    kernel.program.weigh = [](Expr weight, const ScorePosition &at, const ElementAt &, const Exprs &) {
      return weight * Halide::cast<float>((at.key + at.query) % 3);
    };
    const Families families(kernel);
    TestType problem(2, 37, 45, 16, 24);
    CHECK(families.worst(problem, [](double score, int, int query, int key) {
      return PlainScore{score, true, double((key + query) % 3)};
    }) < tolerance);
  }
  SECTION("the scores") {
    kernel.unnormalized = true;
    kernel.program = causalProgram();
    const Families families(kernel);
    TestType problem(2, 37, 45, 16, 24);
    // Sums of 45 products that cancel, of which each score is rounded to the type of v.
    CHECK(families.worst(problem, causal) < 10 * tolerance);
  }
}

TEMPLATE_TEST_CASE("halves that are not finite reach what sees them and nothing else", "[attention][half]",
                   ProblemOf<bfloat16_t>, ProblemOf<float16_t>) {
  AttentionKernel kernel = kernelOf<TestType>();
  kernel.program = causalProgram();
  const Families families(kernel);
  for (int keys : {70, 71}) {
    TestType problem(1, 70, keys, 16, 12);
    using T = std::decay_t<decltype(problem.v[0])>;
    problem.v[69 * 12] = T(INFINITY); // only the last query sees it
    problem.v[40 * 12 + 3] = T(NAN);  // queries from 40 on
    problem.q[5 * 16 + 2] = T(NAN);   // all of row 5
    CHECK(families.worst(problem, causal) < tolerance);
  }
}

TEMPLATE_TEST_CASE("weights of halves, written out", "[attention][half]", ProblemOf<bfloat16_t>,
                   ProblemOf<float16_t>, (ProblemOf<float, bfloat16_t, bfloat16_t>)) {
  AttentionKernel kernel = kernelOf<TestType>(40);
  kernel.statistics = true;
  const RowsTiles rows(kernel, blockTile()), small(kernel, smallTile());
  const MatrixTiles matrix(kernel, blockTile());
  TestType problem(2, 70, 75, 19, 21); // scores of hundreds, of which the last bit counts
  for (const RowsTiles *family : {&rows, &small}) {
    problem.run(*family);
    CHECK(problem.error(kernel, plainScore) < tolerance);
    problem.run(matrix);
    CHECK(problem.matrixError(kernel, plainScore) < tolerance);
  }
}

TEST_CASE("weights of bf16 have the sum that divides them", "[attention][half]") {
  AttentionKernel kernel = kernelOf<ProblemOf<bfloat16_t>>();
  const RowsTiles tiles(kernel, blockTile());
  ProblemOf<bfloat16_t> problem(1, 64, 333, 32, 16);
  for (bfloat16_t &value : problem.v)
    value = bfloat16_t(1.0f);
  problem.run(tiles);
  for (bfloat16_t value : problem.out)
    REQUIRE(float(value) == 1.0f);
}

TEST_CASE("one visible key gives its value, whatever the score", "[attention][half]") {
  AttentionKernel kernel = kernelOf<ProblemOf<bfloat16_t>>();
  const Families families(kernel);
  ProblemOf<bfloat16_t> problem(1, 70, 1, 32, 16);
  for (bfloat16_t &element : problem.q)
    element = bfloat16_t(133120.0f);
  for (bfloat16_t &element : problem.k)
    element = bfloat16_t(133120.0f);
  for (const auto &family : families.rows) {
    problem.run(*family);
    for (int n = 0; n < 70 * 16; ++n)
      REQUIRE(problem.out[n].to_bits() == problem.v[n % 16].to_bits());
  }
}

TEST_CASE("scores beyond the largest f16", "[attention][half]") {
  AttentionKernel kernel = kernelOf<ProblemOf<float16_t>>(1);
  const Families families(kernel);
  ProblemOf<float16_t> problem(1, 20, 40, 64, 8);
  for (float16_t &element : problem.q)
    element = float16_t(float(element) * 256);
  for (float16_t &element : problem.k)
    element = float16_t(float(element) * 256);
  CHECK(families.worst(problem, plainScore) < tolerance);
}

TEMPLATE_TEST_CASE("every CPU level gives the same of halves", "[attention][half]", ProblemOf<bfloat16_t>,
                   ProblemOf<float16_t>) {
  AttentionKernel kernel = kernelOf<TestType>();
  kernel.program = causalProgram();
  for (const heed_cpu_level level : hostLevels()) {
    const CpuTarget target = cpuTarget(level);
    const AttentionSchedule schedule = defaultSchedule(AttentionSizes{}, target.lanes);
    TestType problem(1, 70, 75, 19, 21);
    INFO(levelName(level).str());
    problem.run(RowsTiles(kernel, schedule.rows, target));
    CHECK(problem.error(kernel, causal) < tolerance);
    problem.run(RowsTiles(kernel, schedule.small, target));
    CHECK(problem.error(kernel, causal) < tolerance);
  }
}

TEST_CASE("both products of bf16 are 16 dot products per round, of operands from memory",
          "[attention][half]") {
  AttentionKernel kernel = kernelOf<ProblemOf<bfloat16_t>>();
  kernel.depth = kernel.valueDepth = 64;
  const CpuTarget target = cpuTarget(HEED_CPU_X86_64_V4_BF16);
  const RowsTile tile = defaultSchedule({.depth = 64, .valueDepth = 64}, target.lanes).rows;
  std::istringstream lines(compile(buildAttentionRows(kernel, tile, target), target, Form::Assembly));
  // A basic block that jumps to its own label is a loop.
  std::string label, line;
  int dots = 0, loads = 0, stack = 0, loops = 0;
  while (std::getline(lines, line)) {
    CHECK(line.find("gather") == std::string::npos);
    if (line.rfind(".LBB", 0) == 0) {
      label = line.substr(0, line.find(':'));
      dots = loads = stack = 0;
    }
    const bool isDot = line.find("vdpbf16ps") != std::string::npos,
               isVector = line.find("%zmm") != std::string::npos;
    dots += isDot;
    loads += isVector && line.find('(') != std::string::npos;
    stack += isVector && line.find("(%rsp") != std::string::npos;
    if (dots > 0 && line.find("\tj") == 0 && line.substr(line.rfind('\t') + 1) == label) {
      INFO(label);
      CHECK(dots == 16);
      CHECK(loads <= 10); // 4 + 4 of scores, 2 + 8 of outputs
      CHECK(stack == 0);
      ++loops;
    }
  }
  CHECK(loops >= 2);
}
