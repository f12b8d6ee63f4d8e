// Few rows of half precision, with depth in lanes: at every number of rows, around the borders of chunks and
// vectors, and with members of a group in the rows of a tile.
#include "AttentionProblem.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::kernels;
using Halide::bfloat16_t;
using Halide::Expr;
using Halide::float16_t;

namespace {

constexpr double tolerance = 4e-3; ///< a result of bf16 is rounded by 2^-9
constexpr int chunk = 32;

template <class Problem> AttentionKernel kernelOf(int depth) {
  AttentionKernel kernel;
  kernel.name = "few";
  kernel.types = Problem::types();
  kernel.depth = kernel.valueDepth = depth;
  kernel.scale = 1 / std::sqrt(double(depth));
  kernel.logSumExp = true;
  return kernel;
}

int countOf(const std::string &text, const std::string &word) {
  int count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

} // namespace

TEMPLATE_TEST_CASE("members of a group share rows of halves", "[attention][half]", ProblemOf<bfloat16_t>,
                   ProblemOf<float16_t>, (ProblemOf<float, bfloat16_t, bfloat16_t>)) {
  for (int depth : {8, 24, 128})
    for (int members : {1, 2, 3, 8}) {
      AttentionKernel kernel = kernelOf<TestType>(depth);
      kernel.grouped = kernel.memberRows = kernel.hasSink = true;
      const DepthTiles tiles(kernel, members, chunk);
      for (int keys : {0, 1, 7, 8, 9, 15, 17, 31, 32, 33, 65}) {
        TestType problem(2 * members, 1, keys, depth, depth, 3, members);
        problem.run(tiles);
        INFO("depth " << depth << ", members " << members << ", keys " << keys);
        CHECK(problem.error(kernel, plainScore) < tolerance);
      }
    }
}

TEMPLATE_TEST_CASE("hidden halves that are not finite have no influence on few rows", "[attention][half]",
                   ProblemOf<bfloat16_t>, ProblemOf<float16_t>, (ProblemOf<float, bfloat16_t, bfloat16_t>)) {
  AttentionKernel kernel = kernelOf<TestType>(64);
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &,
                            const std::vector<Expr> &) { return ScoreAndVisible{score, at.key % 3 != 1}; };
  const PlainProgram program = [](double score, int, int, int key) {
    return PlainScore{score, key % 3 != 1};
  };
  for (int rows : {1, 2, 8}) {
    const DepthTiles tiles(kernel, rows, chunk);
    for (int keys : {1, 2, 31, 70}) {
      TestType problem(1, rows, keys, 64, 64);
      for (int key = 1; key < keys; key += 3)
        for (int column = 0; column < 64; ++column) {
          problem.k[key * 64 + column] = std::decay_t<decltype(problem.k[0])>(column % 2 ? NAN : -INFINITY);
          problem.v[key * 64 + column] = std::decay_t<decltype(problem.v[0])>(column % 2 ? INFINITY : NAN);
        }
      problem.run(tiles);
      INFO(rows << " rows, " << keys << " keys");
      CHECK(problem.error(kernel, program) < tolerance);
    }
  }
}

TEST_CASE("few rows of bf16 are multiplied in pairs that are read as they lie", "[attention][half]") {
  const CpuTarget target = cpuTarget(HEED_CPU_X86_64_V4_BF16);
  const AttentionKernel kernel = kernelOf<ProblemOf<bfloat16_t>>(128);
  const std::string text = compile(buildDepthPart(kernel, 1, 1024, target), target, Form::Assembly);
  CHECK(countOf(text, "\tvdpbf16ps") == 128 / 32);
  CHECK(countOf(text, "gather") == 0);
  CHECK(countOf(text, "\tvpmovdw") == 0);
  CHECK(countOf(text, "\tvpermw") == 0);
}

TEST_CASE("passes over a block of values fetch the next ones", "[attention]") {
  const CpuTarget target = hostTarget();
  AttentionKernel kernel = kernelOf<ProblemOf<float>>(128);
  CHECK(countOf(compile(buildDepthPart(kernel, 1, 1024, target), target, Form::Assembly), "\tprefetch") == 0);
  CHECK(countOf(compile(buildDepthPart(kernel, 8, 1024, target), target, Form::Assembly), "\tprefetch") > 0);
}
