// Lists of visible blocks of keys, and attention that visits only those.
#include "AttentionFamilies.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace heed;
using namespace heed::kernels;
using Halide::cast;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr double tolerance = 2e-6;

/// A query sees the keys of its own document up to itself; documents are captured per query and per key.
AttentionKernel documentKernel(bool causal) {
  AttentionKernel kernel;
  kernel.name = "documents";
  kernel.scale = 0.3;
  kernel.listed = true;
  kernel.program.captures = {{Halide::Float(32), false, true}, {Halide::Float(32), true, false}};
  kernel.program.apply = [=](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    const Expr same = element(0, {}) == element(1, {});
    return ScoreAndVisible{score, causal ? same && at.key <= at.query : same};
  };
  if (causal)
    kernel.program.visibleKeys = [](Expr, Expr last, Expr, const ElementAt &, const Exprs &) {
      return KeyRange{0, last + 1};
    };
  return kernel;
}

void addDocuments(AttentionProblem &problem, const std::vector<float> &ofQuery,
                  const std::vector<float> &ofKey) {
  problem.addCapture({.elements = ofQuery, .rowStride = 1});
  problem.addCapture({.elements = ofKey, .keyStride = 1});
}

std::vector<float> documents(int count, int length) {
  std::vector<float> ids;
  for (int n = 0; n < count; ++n)
    ids.push_back(n / length);
  return ids;
}

} // namespace

TEST_CASE("attention over listed blocks equals the naive evaluation", "[lists]") {
  for (bool causal : {false, true}) {
    const Families families(documentKernel(causal));
    for (auto [queries, keys, length] : {std::tuple{1, 1, 1},
                                         {5, 7, 3},
                                         {70, 70, 10},
                                         {200, 200, 64},
                                         {200, 200, 90},
                                         {65, 129, 1000},
                                         {129, 300, 1000},
                                         {300, 257, 100},
                                         {3, 0, 1},
                                         {0, 5, 1},
                                         {128, 128, 128},
                                         {100, 640, 1000}}) {
      AttentionProblem problem(2, queries, keys, 16, 9);
      addDocuments(problem, documents(queries, length), documents(keys, length));
      const auto program = [&, length = length](double score, int, int query, int key) {
        return PlainScore{score, query / length == key / length && (!causal || key <= query)};
      };
      INFO(queries << "x" << keys << ", documents of " << length << ", causal " << causal);
      CHECK(families.worst(problem, program) < tolerance);
    }
  }
}

TEST_CASE("documents in any order, with all results and a sink", "[lists]") {
  AttentionKernel kernel = documentKernel(false);
  kernel.hasSink = kernel.statistics = kernel.logSumExp = true;
  const Families families(kernel);
  AttentionProblem problem(2, 150, 700, 16, 9);
  std::vector<float> ofQuery, ofKey;
  for (int n = 0; n < 150; ++n)
    ofQuery.push_back(n % 2 ? 3 : 5);
  for (int n = 0; n < 700; ++n)
    ofKey.push_back(n / 64 % 3 == 1 ? 3 : n / 64 % 3 == 2 ? 9 : n % 7);
  addDocuments(problem, ofQuery, ofKey);
  for (int key = 128; key < 192; ++key)
    problem.v[key * 9] = problem.k[key * 16] = std::nanf(""); // of a block that nobody sees
  const auto program = [&](double score, int, int query, int key) {
    return PlainScore{score, ofQuery[query] == ofKey[key]};
  };
  CHECK(families.worst(problem, program) < tolerance);
}

TEST_CASE("a mask with one element per pair", "[lists]") {
  AttentionKernel kernel;
  kernel.name = "mask";
  kernel.listed = true;
  kernel.program.captures = {{Halide::Float(32)}};
  kernel.program.apply = [](Expr score, const ScorePosition &, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score, element(0, {}) != 0.0f};
  };
  const Families families(kernel);
  for (int keys : {64, 257, 300}) {
    AttentionProblem problem(1, 70, keys, 8, 8);
    CaptureData mask = {.rowStride = keys, .keyStride = 1};
    for (int query = 0; query < 70; ++query)
      for (int key = 0; key < keys; ++key)
        mask.elements.push_back(key / 64 % 2 == 0 && (key / 64 == 0 || (query + key) % 5 != 0));
    problem.addCapture(mask);
    const auto program = [&](double score, int head, int query, int key) {
      return PlainScore{score, problem.captures[0].at(head, query, key) != 0};
    };
    INFO(keys);
    CHECK(families.worst(problem, program) < tolerance);
  }
}

TEST_CASE("a list has every block that is seen once, full ones first", "[lists]") {
  const LoadedTile tile(buildKeyLists(documentKernel(false), blockTile(), hostTarget()), hostTarget());
  const halide_type_t f32 = halide_type_of<float>();
  for (int keys : {64, 320, 350, 384}) {
    PagedArray<float> ofQuery(3), ofKey(keys);
    std::fill(ofQuery.begin(), ofQuery.end(), 1);
    // Block 0 is hidden, 1 full, 2 partly hidden, 3 full, the last one full as far as it goes.
    for (int key = 0; key < keys; ++key)
      ofKey[key] = key < 64 || key == 130 ? 0 : 1;
    const int blocks = (keys + keyBlock - 1) / keyBlock;
    PagedArray<int32_t> list(blocks), counts(2);
    Operand shape(nullptr, f32, {{keys, 0}, {3, 0}}), queries(ofQuery.data(), f32, {{keys, 0}, {3, 1}}),
        captured(ofKey.data(), f32, {{keys, 1}, {3, 0}}),
        listed(list.data(), halide_type_of<int32_t>(), {{blocks, 1}}),
        counted(counts.data(), halide_type_of<int32_t>(), {{2, 1}});
    ScratchContext scratch;
    tile(scratch, {0, 0, 0}, {&shape, &queries, &captured, &listed, &counted});
    std::vector<int32_t> full, partial;
    for (int block = 1; block < blocks; ++block)
      (block != 2 && (block + 1) * keyBlock <= keys ? full : partial).push_back(block);
    INFO(keys);
    CHECK(list.untouchedBefore());
    REQUIRE(counts[0] == int(full.size()));
    REQUIRE(counts[1] == int(partial.size()));
    CHECK(std::equal(full.begin(), full.end(), list.begin()));
    CHECK(std::equal(partial.begin(), partial.end(), list.begin() + counts[0]));
  }
}

TEST_CASE("masks that look at rows only, at keys only, or at neither", "[lists]") {
  using Visible = std::function<Expr(const ScorePosition &)>;
  const std::vector<std::pair<Visible, std::function<bool(int, int)>>> masks = {
      {[](const ScorePosition &at) { return at.key % 130 < 64; },
       [](int, int key) { return key % 130 < 64; }},
      {[](const ScorePosition &at) { return at.query % 3 != 1; },
       [](int query, int) { return query % 3 != 1; }},
      {[](const ScorePosition &at) { return at.head == 1; }, [](int, int) { return false; }},
      {[](const ScorePosition &) { return Halide::Internal::const_false(); },
       [](int, int) { return false; }}};
  for (size_t n = 0; n < masks.size(); ++n) {
    AttentionKernel kernel;
    kernel.name = "mask";
    kernel.listed = true;
    kernel.program.apply = [&](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
      return ScoreAndVisible{score, masks[n].first(at)};
    };
    const Families families(kernel);
    AttentionProblem problem(1, 70, 300, 8, 8);
    const auto program = [&](double score, int, int query, int key) {
      return PlainScore{score, masks[n].second(query, key)};
    };
    INFO(n);
    CHECK(families.worst(problem, program) < tolerance);
  }
}
