// What an attention yields beside its output, and what stands between its products: weights without a matrix
// of queries × keys in memory, groups of heads, lists of visible keys, dropout.
#include "Compiled.h"
#include "Naive.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;

namespace {

const std::string arguments = R"(
  %q: !heed.tensor<[batch, 6, queries, 40], f32> {heed.name = "q", heed.role = "input"},
  %k: !heed.tensor<[batch, 2, keys, 40], f32> {heed.name = "k", heed.role = "input"},
  %v: !heed.tensor<[batch, 2, keys, 24], f32> {heed.name = "v", heed.role = "input"})";

/// The weights of grouped heads and their product with the values.
const std::string weightsAndOutput = "heed.kernel @block(" + arguments + R"(
) -> (!heed.tensor<[batch, 6, queries, 24], f32> {heed.name = "y"},
      !heed.tensor<[batch, 6, queries, keys], f32> {heed.name = "weights"}) {
  %0:3 = heed.attention %q, %k, %v scale 0.2 {produces = ["output", "largest", "sum"]}
    : (!heed.tensor<[batch, 6, queries, 40], f32>, !heed.tensor<[batch, 2, keys, 40], f32>,
       !heed.tensor<[batch, 2, keys, 24], f32>)
    -> (!heed.tensor<[batch, 6, queries, 24], f32>, !heed.tensor<[batch, 6, queries], f32>,
        !heed.tensor<[batch, 6, queries], f32>) {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %see = arith.cmpi sle, %j, %i : i64
    heed.yield %score, %see : f32, i1
  }
  %1 = heed.scores %q, %k statistics(%0#1, %0#2) scale 0.2
    : (!heed.tensor<[batch, 6, queries, 40], f32>, !heed.tensor<[batch, 2, keys, 40], f32>,
       !heed.tensor<[batch, 6, queries], f32>, !heed.tensor<[batch, 6, queries], f32>)
    -> !heed.tensor<[batch, 6, queries, keys], f32> {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %see = arith.cmpi sle, %j, %i : i64
    heed.yield %score, %see : f32, i1
  }
  heed.return %0#0, %1 : !heed.tensor<[batch, 6, queries, 24], f32>, !heed.tensor<[batch, 6, queries, keys], f32>
}
)";

/// Keys of the same document, whose numbers are an input.
const std::string documents = "heed.kernel @block(" + arguments + R"(,
  %ids: !heed.tensor<[batch, keys], i32> {heed.name = "ids", heed.role = "input"}
) -> (!heed.tensor<[batch, 6, queries, 24], f32> {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %v captures(%ids) scale 0.2
    : (!heed.tensor<[batch, 6, queries, 40], f32>, !heed.tensor<[batch, 2, keys, 40], f32>,
       !heed.tensor<[batch, 2, keys, 24], f32>, !heed.tensor<[batch, keys], i32>)
    -> !heed.tensor<[batch, 6, queries, 24], f32> {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %document: !heed.tensor<[batch, keys], i32>):
    %own = heed.element %document[%b, %i] : !heed.tensor<[batch, keys], i32> -> i64
    %other = heed.element %document[%b, %j] : !heed.tensor<[batch, keys], i32> -> i64
    %see = arith.cmpi eq, %own, %other : i64
    heed.yield %score, %see : f32, i1
  }
  heed.return %0 : !heed.tensor<[batch, 6, queries, 24], f32>
}
)";

/// Dropout with a probability that the caller gives.
const std::string dropped = "heed.kernel @block(" + arguments + R"(,
  %p: !heed.tensor<[], f32> {heed.name = "p", heed.role = "scalar"},
  %seed: !heed.tensor<[], i64> {heed.name = "seed", heed.role = "scalar"}
) -> (!heed.tensor<[batch, 6, queries, 24], f32> {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %v captures(%p, %seed) scale 0.2
    : (!heed.tensor<[batch, 6, queries, 40], f32>, !heed.tensor<[batch, 2, keys, 40], f32>,
       !heed.tensor<[batch, 2, keys, 24], f32>, !heed.tensor<[], f32>, !heed.tensor<[], i64>)
    -> !heed.tensor<[batch, 6, queries, 24], f32> {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %p0: !heed.tensor<[], f32>, %s0: !heed.tensor<[], i64>):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  } weighing {
  ^bb0(%weight: f32, %b: i64, %h: i64, %i: i64, %j: i64, %p0: !heed.tensor<[], f32>, %s0: !heed.tensor<[], i64>):
    %probability = heed.element %p0[] : !heed.tensor<[], f32> -> f32
    %key = heed.element %s0[] : !heed.tensor<[], i64> -> i64
    %random = heed.uniform %key, %j site 0
    %keep = arith.cmpf oge, %random, %probability : f32
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %keep, %weight, %zero : f32
    heed.yield %kept : f32
  }
  heed.return %0 : !heed.tensor<[batch, 6, queries, 24], f32>
}
)";

bool has(const program::Program &program, llvm::ArrayRef<unsigned> extents, const std::string &symbol) {
  return llvm::any_of(extents, [&](unsigned extent) { return program.text(extent) == symbol; });
}

} // namespace

TEST_CASE("weights and output need no matrix beside the one that is asked for") {
  Compiled library(weightsAndOutput);
  const program::Program &program = library.programs.front();
  for (const program::Temporary &temporary : program.temporaries)
    CHECK_FALSE((has(program, temporary.extents, "queries") && has(program, temporary.extents, "keys")));

  for (auto [queries, keys] : {std::pair<int64_t, int64_t>{1, 9}, {7, 5}, {33, 40}, {130, 300}}) {
    auto q = Tensor<float>::random({2, 6, queries, 40}, 1), k = Tensor<float>::random({2, 2, keys, 40}, 2),
         v = Tensor<float>::random({2, 2, keys, 24}, 3);
    Tensor<float> y({2, 6, queries, 24}), weights({2, 6, queries, keys});
    REQUIRE(library.call("block", {q.view(), k.view(), v.view(), y.view(), weights.view()}) == "");
    CHECK(y.guardsIntact());
    CHECK(weights.guardsIntact());
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t h = 0; h < 6; ++h)
        for (int64_t i = 0; i < queries; ++i) {
          double sum = 0, first = 0;
          for (int64_t j = 0; j < keys; ++j) {
            double weight = weights.at({b, h, i, j});
            sum += weight;
            first += weight * v.at({b, h / 3, j, 0});
            if (j > i)
              CHECK(weight == 0);
          }
          CHECK(sum == Approx(1).margin(1e-5));
          CHECK(y.at({b, h, i, 0}) == Approx(first).margin(1e-5));
        }
  }
}

TEST_CASE("visible keys are listed once for all heads that share a mask") {
  Compiled library(documents);
  const program::Program &program = library.programs.front();
  const program::Alternative &large = program.steps.front().alternatives.back();
  REQUIRE(large.launches.size() == 2);
  CHECK(large.launches.front().name == "block.attention key lists");
  CHECK(large.launches.front().grid.size() == 2); // batch and queries
  for (const program::Temporary &temporary : program.temporaries)
    CHECK_FALSE((has(program, temporary.extents, "queries") && has(program, temporary.extents, "keys")));
}

TEST_CASE("a probability of 0 has functions without random numbers") {
  Compiled library(dropped);
  const program::Program &program = library.programs.front();
  std::vector<const program::Alternative *> kept, general;
  for (const program::Alternative &alternative : program.steps.front().alternatives)
    (alternative.zeroArgument ? kept : general).push_back(&alternative);
  REQUIRE(kept.size() == 3);
  REQUIRE(general.size() == 3);
  CHECK(program.steps.front().alternatives.back().zeroArgument == std::nullopt);
  for (const program::Alternative *alternative : kept) {
    CHECK(program.arguments[*alternative->zeroArgument].name == "p");
    for (const program::Alternative *other : general)
      CHECK(alternative->launches.front().function != other->launches.front().function);
  }
}
