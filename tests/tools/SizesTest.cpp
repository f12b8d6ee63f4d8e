// Sizes, names and counted work.
#include "Kernels/Sizes.h"
#include "Kernels/Scores.h"
#include "Measure/Work.h"
#include "Support/Names.h"
#include "Support/ToolError.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;
using namespace heed::tools;

namespace {

constexpr heed::extent batch{"batch"}, queries{"queries"}, keys{"keys"};

constexpr tensor attend(graph &g, bool causal) {
  tensor q = g.input("q", f32, {batch, 2, queries, 16}), k = g.input("k", f32, {batch, 2, keys, 16});
  tensor v = g.input("v", f32, {batch, 2, keys, 24});
  tensor scores = matmul(q, transpose(k)) / 4.0;
  if (causal)
    scores = mask(scores, [](index, index, index q, index k) { return k <= q; });
  return matmul(softmax(scores), v);
}

constexpr kernel dense{"dense", [](graph &g) { g.output("y", attend(g, false)); }};
constexpr kernel causal_kernel{"causal", [](graph &g) { g.output("y", attend(g, true)); }};
constexpr kernel divided{
    "divided", [](graph &g) {
      g.output("y", linear(g.input("x", f32, {batch, queries / 12}), g.weight("w", f32, {3, queries / 12})));
    }};

} // namespace

TEST_CASE("size options are checked all at once") {
  CHECK(parseSizes(dense, {"queries=5", "batch=2"}) == SymbolValues{2, 5, -1});
  CHECK_THROWS_WITH(
      parseSizes(dense, {"querys=5", "batch=x", "keys=1", "keys=2"}),
      "--size querys=5: dense has no extent 'querys', only batch, queries, keys; did you mean 'queries'?\n"
      "--size batch=x: 'x' is not a whole number >= 0\n"
      "--size keys=2: keys is given twice");
  CHECK_THROWS_WITH(requireComplete(dense, {2, -1, -1}),
                    "dense: no size for queries, keys; add --size queries=NUMBER --size keys=NUMBER");
  CHECK_THROWS_WITH(requireComplete(divided, {2, 13}),
                    "divided: extent queries/12 is not a whole number with batch=2 queries=13");
}

TEST_CASE("drawn sizes keep what is given and divide") {
  std::mt19937_64 random(1);
  bool zero = false, large = false;
  for (int i = 0; i < 200; ++i) {
    SymbolValues values = drawSizes(divided, {3, -1}, 1e6, random);
    CHECK(values[0] == 3);
    CHECK(values[1] % 12 == 0);
    zero = zero || values[1] == 0;
    large = large || values[1] > 60;
  }
  CHECK(zero);
  CHECK(large);
}

TEST_CASE("work is counted from the graph") {
  Work work = countWork(dense, {3, 5, 7});
  CHECK(work.operations == 2.0 * 3 * 2 * 5 * 7 * (16 + 24));
  CHECK(work.bytes == 4.0 * 3 * 2 * (5 * 16 + 7 * 16 + 7 * 24 + 5 * 24));
}

TEST_CASE("causal masks count visible pairs") {
  const Inputs none;
  double visible = 1 + 2 + 3 + 4 + 5;
  CHECK(countWork(causal_kernel, {3, 5, 7}, &none).operations == Approx(2.0 * 3 * 2 * visible * (16 + 24)));
  CHECK(countWork(causal_kernel, {3, 5, 7}).operations == 2.0 * 3 * 2 * 5 * 7 * (16 + 24));
  CHECK(countWork(causal_kernel, {3, 0, 7}, &none).operations == 0);
}

TEST_CASE("names that are near are suggested") {
  CHECK(nearestName("attention_d6", {"linear", "attention_d64"}) == "attention_d64");
  CHECK(nearestName("causl", {"dense", "causal"}) == "causal");
  CHECK(nearestName("xyz", {"dense", "causal"}).empty());
  CHECK_THROWS_AS(splitAssignment("--in", "x"), ToolError);
  CHECK(splitAssignment("--in", "x=a=b") == std::pair<std::string, std::string>{"x", "a=b"});
}
