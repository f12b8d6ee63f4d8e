// Scores and weights written out.
#include "AttentionFamilies.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::kernels;
using Halide::cast;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr double tolerance = 3e-6;

/// score + bias where i - 20 <= key < i, both captured along keys and rows.
AttentionKernel biasedKernel() {
  AttentionKernel kernel;
  kernel.name = "matrix";
  kernel.scale = 0.3;
  kernel.program.captures = {{Halide::Float(32)}};
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score + element(0, {}), at.key >= at.query - 20 && at.key < at.query};
  };
  kernel.program.visibleKeys = [](Expr first, Expr last, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{first - 20, last};
  };
  return kernel;
}

void addBias(AttentionProblem &problem) {
  CaptureData bias = {.headStride = 0, .rowStride = problem.keys, .keyStride = 1};
  for (int n = 0; n < problem.queries * problem.keys; ++n)
    bias.elements.push_back(std::sin(float(n)));
  problem.addCapture(bias);
}

PlainProgram biased(const AttentionProblem &problem) {
  return [&](double score, int head, int query, int key) {
    return PlainScore{score + problem.captures[0].at(head, query, key), key >= query - 20 && key < query,
                      key % 2 ? 2.0 : 0.0};
  };
}

std::vector<RowsTile> tiles() {
  RowsTile chunked = blockTile();
  chunked.keyChunk = 32;
  return {blockTile(), smallTile(), chunked};
}

constexpr std::pair<int, int> sizes[] = {{1, 1}, {5, 7}, {17, 31}, {65, 129}, {3, 0}, {0, 5}, {70, 64}};

} // namespace

TEST_CASE("scores of any size, -infinity where hidden", "[matrix]") {
  for (const RowsTile &tile : tiles()) {
    const MatrixTiles matrix(biasedKernel(), tile);
    AttentionKernel plain;
    plain.name = "plain";
    const MatrixTiles plainMatrix(plain, tile);
    for (auto [queries, keys] : sizes) {
      AttentionProblem problem(2, queries, keys, 11, 1);
      INFO(queries << "x" << keys << ", chunks of " << tile.keyChunk);
      problem.run(plainMatrix);
      CHECK(problem.matrixError(plain, plainScore) < tolerance);
      addBias(problem);
      problem.run(matrix);
      CHECK(problem.matrixError(biasedKernel(), biased(problem)) < tolerance);
    }
  }
}

TEST_CASE("weights of any size, from the statistics of the attention", "[matrix]") {
  for (const RowsTile &tile : tiles())
    for (bool nanForEmpty : {false, true}) {
      AttentionKernel kernel = biasedKernel();
      kernel.statistics = true;
      kernel.nanForEmpty = nanForEmpty;
      kernel.program.weigh = [](Expr weight, const ScorePosition &at, const ElementAt &, const Exprs &) {
        return weight * select(at.key % 2 == 0, 0.0f, 2.0f);
      };
      const RowsTiles rows(kernel, tile);
      const DepthTiles depth(kernel, 2, 32);
      const MatrixTiles matrix(kernel, tile);
      for (auto [queries, keys] : sizes) {
        AttentionProblem problem(2, queries, keys, 11, 3);
        addBias(problem);
        INFO(queries << "x" << keys << ", chunks of " << tile.keyChunk);
        problem.run(rows);
        problem.run(matrix);
        CHECK(problem.matrixError(kernel, biased(problem)) < tolerance);
        problem.run(depth);
        problem.run(matrix);
        CHECK(problem.matrixError(kernel, biased(problem)) < tolerance);
      }
    }
}

TEST_CASE("NaN in a score reaches the weights of its row that see it", "[matrix]") {
  AttentionKernel kernel;
  kernel.name = "poisoned";
  kernel.statistics = true;
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score, at.key != 3};
  };
  AttentionProblem problem(1, 4, 9, 8, 3);
  problem.q[8] = std::nanf("");
  problem.run(RowsTiles(kernel, blockTile()));
  problem.run(MatrixTiles(kernel, blockTile()));
  for (int query = 0; query < 4; ++query)
    for (int key = 0; key < 9; ++key) {
      CHECK(std::isnan(problem.matrix[query * 9 + key]) == (query == 1 && key != 3));
      if (key == 3)
        CHECK(problem.matrix[query * 9 + key] == 0);
    }
}
