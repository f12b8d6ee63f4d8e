// Values in pairs of keys, made once for all query rows: against the naive evaluation of the same rounded
// inputs.
#include "AttentionFamilies.h"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::kernels;
using Halide::Expr;
using Exprs = std::vector<Expr>;
using Half = Halide::bfloat16_t;
using Problem = ProblemOf<Half>;

namespace {

/// As for all products with values of bf16.
constexpr double tolerance = 4e-3;
constexpr int columns = 2 * pairColumns;

AttentionKernel pairedKernel() {
  AttentionKernel kernel;
  kernel.name = "paired";
  kernel.types = Problem::types();
  kernel.scale = 0.3;
  kernel.valueDepth = columns;
  kernel.pairedValues = hostTarget().dotsBf16;
  return kernel;
}

/// Blocks of rows, and blocks whose rows see chunk after chunk.
std::vector<RowsTile> tilesFor(const AttentionKernel &kernel) {
  RowsTile chunked = blockTile(), high = blockTile();
  chunked.keyChunk = kernel.listed ? 2 * keyBlock : 4 * chunked.keyTile;
  high.queryBlock *= 2; // rows of one register tile see less than all
  return {blockTile(), chunked, high};
}

/// The largest error of any tile at any of the sizes.
double worst(
    const AttentionKernel &kernel, const PlainProgram &program, const std::vector<std::pair<int, int>> &sizes,
    const std::function<void(Problem &)> &change = [](Problem &) {}) {
  double error = 0;
  for (const RowsTile &tile : tilesFor(kernel)) {
    const RowsTiles tiles(kernel, tile);
    for (auto [queries, keys] : sizes) {
      Problem problem(2, queries, keys, 16, columns, 1, kernel.grouped ? 2 : 1);
      change(problem);
      problem.run(tiles);
      error = std::max(error, problem.error(kernel, program));
    }
  }
  return error;
}

PlainScore causal(double score, int, int query, int key) { return {score, key <= query}; }

} // namespace

TEST_CASE("every key is in a pair, also where the last has no second one", "[attention][half]") {
  CHECK(worst(pairedKernel(), plainScore, {{1, 1}, {5, 2}, {70, 7}, {64, 64}, {65, 129}, {3, 0}}) <
        tolerance);
}

TEST_CASE("heads in groups share pairs", "[attention][half]") {
  AttentionKernel kernel = pairedKernel();
  kernel.grouped = kernel.logSumExp = true;
  CHECK(worst(kernel, plainScore, {{70, 33}}) < tolerance);
}

TEST_CASE("pairs under a causal mask", "[attention][half]") {
  AttentionKernel kernel = pairedKernel();
  kernel.program = causalProgram();
  const std::vector<std::pair<int, int>> sizes = {{1, 1}, {5, 3}, {70, 70}, {129, 200}, {300, 301}, {97, 31}};
  CHECK(worst(kernel, causal, sizes) < tolerance);
  SECTION("values that are not finite reach what sees them and nothing else") {
    CHECK(worst(kernel, causal, {{70, 70}, {70, 71}}, [](Problem &problem) {
            problem.v[69 * columns] = Half(INFINITY);      // only the last query sees it
            problem.v[40 * columns + 3] = Half(NAN);       // queries from 40 on
            problem.v[41 * columns + 4] = Half(-INFINITY); // the second of a pair
          }) < tolerance);
  }
}

TEST_CASE("ranges of keys may begin and end within a pair", "[attention][half]") {
  const int before = GENERATE(20, 21), after = GENERATE(2, 3);
  AttentionKernel kernel = pairedKernel();
  kernel.program.apply = [=](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score, at.key >= at.query - before && at.key <= at.query - after};
  };
  kernel.program.visibleKeys = [=](Expr first, Expr last, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{first - before, last - after + 1};
  };
  kernel.program.fullKeys = [=](Expr first, Expr last, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{last - before, first - after + 1};
  };
  const PlainProgram window = [=](double score, int, int query, int key) {
    return PlainScore{score, key >= query - before && key <= query - after};
  };
  const std::vector<std::pair<int, int>> sizes = {{1, 4}, {40, 40}, {151, 151}, {200, 91}, {90, 200}};
  CHECK(worst(kernel, window, sizes, [](Problem &problem) { problem.v[0] = Half(NAN); }) < tolerance);
}

TEST_CASE("every row may see the same odd number of keys", "[attention][half]") {
  const int seen = GENERATE(0, 1, 30, 31);
  AttentionKernel kernel = pairedKernel();
  kernel.program.apply = [=](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score, at.key < seen};
  };
  kernel.program.visibleKeys = [=](Expr, Expr, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{0, seen};
  };
  kernel.program.fullKeys = kernel.program.visibleKeys;
  const PlainProgram prefix = [=](double score, int, int, int key) { return PlainScore{score, key < seen}; };
  CHECK(worst(kernel, prefix, {{70, 31}, {70, 32}, {5, 97}}, [=](Problem &problem) {
          for (size_t n = seen * columns; n < problem.v.size() / 2; ++n)
            problem.v[n] = Half(NAN);
        }) < tolerance);
}

TEST_CASE("pairs of listed keys", "[attention][half]") {
  AttentionKernel kernel = pairedKernel();
  kernel.listed = true;
  kernel.program.captures = {{Halide::Float(32)}};
  kernel.program.apply = [](Expr score, const ScorePosition &, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score, element(0, {}) != 0.0f};
  };
  const auto sees = [](int query, int key) { return key / 64 == query / 16 || (key * 7 + query) % 11 == 0; };
  const PlainProgram program = [&](double score, int, int query, int key) {
    return PlainScore{score, sees(query, key)};
  };
  for (auto [queries, keys] : {std::pair{33, 65}, {70, 301}})
    CHECK(worst(kernel, program, {{queries, keys}}, [&, queries = queries, keys = keys](Problem &problem) {
            CaptureData mask = {.headStride = 0, .rowStride = keys, .keyStride = 1};
            for (int query = 0; query < queries; ++query)
              for (int key = 0; key < keys; ++key)
                mask.elements.push_back(sees(query, key));
            problem.addCapture(mask);
          }) < tolerance);
}
