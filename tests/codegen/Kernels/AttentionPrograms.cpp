// Score programs: tables, grouped heads, ranges from operands, weights that are changed or are the scores.
#include "AttentionFamilies.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::kernels;
using Halide::cast;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr double tolerance = 2e-6;

AttentionKernel plainKernel() {
  AttentionKernel kernel;
  kernel.name = "program";
  kernel.scale = 0.3;
  return kernel;
}

CaptureData table(std::vector<int64_t> extents) {
  CaptureData data;
  data.table = extents;
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  for (int64_t n = 0; n < count; ++n)
    data.elements.push_back(std::sin(float(n)));
  return data;
}

} // namespace

TEST_CASE("tables are read at computed indices, clamped into their axes", "[attention]") {
  for (bool wide : {false, true}) {
    AttentionKernel kernel = plainKernel();
    const Halide::Type index = wide ? Halide::Int(64) : Halide::Int(32);
    kernel.program.captures = {{.type = Halide::Float(32), .tableRank = 2},
                               {.type = Halide::Float(32), .tableRank = 1}};
    kernel.program.apply = [=](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
      const Expr distance = cast(index, at.query) - cast(index, at.key) + cast(index, 9);
      const Expr scaled = wide ? distance * Halide::Internal::make_const(index, int64_t(1) << 33) : distance;
      return ScoreAndVisible{score + element(0, {distance, at.head - 1}) * element(1, {scaled}), Expr()};
    };
    const Families families(kernel);
    AttentionProblem problem(4, 70, 45, 8, 8);
    problem.addCapture(table({17, 3}));
    problem.addCapture(table({13}));
    const auto program = [&](double score, int head, int query, int key) {
      const int row = std::clamp(head - 1, 0, 2), distance = query - key + 9;
      const int second = wide ? (distance > 0 ? 12 : 0) : std::clamp(distance, 0, 12);
      return PlainScore{score + problem.captures[0].elements[row * 17 + std::clamp(distance, 0, 16)] *
                                    problem.captures[1].elements[second],
                        true};
    };
    CHECK(families.worst(problem, program) < tolerance);
  }
}

TEST_CASE("query heads that share keys know their own number", "[attention]") {
  AttentionKernel kernel = plainKernel();
  kernel.grouped = kernel.hasSink = true;
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score + cast<float>(at.head) * cast<float>(at.key) * 0.125f, at.key <= at.query};
  };
  const Families families(kernel);
  const PlainProgram program = [](double score, int head, int query, int key) {
    return PlainScore{score + head * key * 0.125, key <= query};
  };
  AttentionProblem problem(6, 70, 45, 8, 8, 1, 3);
  CHECK(families.worst(problem, program) < tolerance);
}

TEST_CASE("rows that are query heads of one group", "[attention]") {
  AttentionKernel kernel = plainKernel();
  kernel.grouped = kernel.memberRows = kernel.hasSink = kernel.statistics = kernel.logSumExp = true;
  kernel.program.captures = {{Halide::Float(32), false, true}, {Halide::Float(32), true, false}};
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score + element(0, {}) * cast<float>(at.key) + cast<float>(at.head),
                           element(1, {}) != 0.0f && at.key <= at.query + 40};
  };
  kernel.program.visibleKeys = [](Expr, Expr last, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{0, last + 41};
  };
  for (int rows : {1, 2, 3, 4}) {
    const DepthTiles tiles(kernel, rows, 32);
    AttentionProblem problem(6, 5, 75, 19, 21, 1, 3);
    problem.addCapture({.elements = {0.1f, 0.2f, -0.1f, 0.05f, 0, -0.3f}, .headStride = 1});
    CaptureData mask = {.keyStride = 1};
    for (int key = 0; key < 75; ++key)
      mask.elements.push_back(key % 7 != 2);
    problem.addCapture(mask);
    const auto program = [&](double score, int head, int query, int key) {
      return PlainScore{score + problem.captures[0].elements[head] * double(key) + head,
                        key % 7 != 2 && key <= query + 40};
    };
    problem.run(tiles);
    INFO(rows);
    CHECK(problem.error(kernel, program) < tolerance);
  }
}

TEST_CASE("ranges of keys come from operands", "[attention]") {
  AttentionKernel kernel = plainKernel();
  kernel.program.captures = {{Halide::Float(32), false, false}, {.type = Halide::Float(32), .tableRank = 1}};
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score, cast<float>(at.key) < element(0, {}) &&
                                      cast<float>(at.key) >= element(1, {at.head})};
  };
  const auto range = [](Expr, Expr, Expr, const ElementAt &element, const Exprs &) {
    return KeyRange{element(1, {1}), element(0, {})};
  };
  kernel.program.visibleKeys = kernel.program.fullKeys = range;
  const Families families(kernel);
  for (float length : {0.0f, 1.0f, 50.0f, 90.0f, 1e30f, -1e30f}) {
    AttentionProblem problem(1, 70, 90, 8, 8);
    problem.addCapture({.elements = {length}});
    problem.addCapture({.elements = {3, 3}, .table = {2}});
    const auto program = [&](double score, int, int, int key) {
      return PlainScore{score, key < length && key >= 3};
    };
    INFO(length);
    CHECK(families.worst(problem, program) < tolerance);
  }
}

TEST_CASE("weights are changed before v, not in the sum", "[attention]") {
  AttentionKernel kernel = plainKernel();
  kernel.program.captures = {{Halide::Float(32)}};
  kernel.logSumExp = true;
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score + element(0, {}), at.key <= at.query};
  };
  kernel.program.weigh = [](Expr weight, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    return select((at.key + at.query + at.head) % 3 == 0, 0.0f, weight * 1.5f * (2.0f + element(0, {})));
  };
  const Families families(kernel);
  AttentionProblem problem(2, 70, 45, 8, 8);
  CaptureData bias = {.headStride = 0, .rowStride = 45, .keyStride = 1};
  for (int n = 0; n < 70 * 45; ++n)
    bias.elements.push_back(std::sin(float(n)));
  problem.addCapture(bias);
  const auto program = [&](double score, int head, int query, int key) {
    const double element = problem.captures[0].at(head, query, key);
    return PlainScore{score + element, key <= query, (key + query + head) % 3 == 0 ? 0 : 1.5 * (2 + element)};
  };
  CHECK(families.worst(problem, program) < tolerance);
}

TEST_CASE("weights that are the scores", "[attention]") {
  AttentionKernel kernel = plainKernel();
  kernel.unnormalized = true;
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{1 / (1 + exp(-score)), at.key <= at.query && at.key > 2};
  };
  const PlainProgram sigmoid = [](double score, int, int query, int key) {
    return PlainScore{1 / (1 + std::exp(-score)), key <= query && key > 2};
  };
  const Families families(kernel);
  for (auto [queries, keys] : {std::pair{1, 1}, {5, 7}, {70, 45}, {3, 0}, {130, 129}}) {
    AttentionProblem problem(2, queries, keys, 8, 9);
    if (keys > 2)
      problem.v[9 + 4] = problem.v[2 * 9] = std::nanf(""); // of hidden keys
    INFO(queries << "x" << keys);
    CHECK(families.worst(problem, sigmoid) < tolerance);
  }
  AttentionKernel plain = plainKernel();
  plain.unnormalized = true;
  AttentionProblem problem(2, 70, 45, 8, 9);
  CHECK(Families(plain).worst(problem, plainScore) < 1e-5);
}
