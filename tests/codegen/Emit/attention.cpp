#include "Compiled.h"
#include "Naive.h"

#include <catch2/catch.hpp>

using namespace heed;

static std::string dense(const std::string &depth, const std::string &valueDepth) {
  std::string head = "!heed.tensor<[batch, heads, ";
  std::string q = head + "queries, " + depth + "], f32>", k = head + "keys, " + depth + "], f32>",
              v = head + "keys, " + valueDepth + "], f32>", y = head + "queries, " + valueDepth + "], f32>";
  return "heed.kernel @dense(%q: " + q + " {heed.name = \"q\", heed.role = \"input\"}, %k: " + k +
         " {heed.name = \"k\", heed.role = \"input\"}, %v: " + v +
         " {heed.name = \"v\", heed.role = \"input\"}) -> (" + y + R"( {heed.name = "y"}) {
    %0 = heed.attention %q, %k, %v scale 0.125 : ()" +
         q + ", " + k + ", " + v + ") -> " + y + R"( {
    ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
      %true = arith.constant true
      heed.yield %score, %true : f32, i1
    }
    heed.return %0 : )" +
         y + "\n}\n";
}

TEST_CASE("dense attention of every size class") {
  Compiled library(dense("64", "64"));
  struct Sizes {
    int64_t batch, heads, queries, keys;
  };
  auto sizes = GENERATE(Sizes{1, 1, 1, 1}, Sizes{2, 3, 5, 7}, Sizes{2, 2, 1, 1000}, Sizes{1, 2, 67, 33},
                        Sizes{1, 1, 130, 1025}, Sizes{2, 1, 0, 5}, Sizes{2, 1, 3, 0}, Sizes{2, 1, 40, 0},
                        Sizes{0, 2, 3, 4});
  CAPTURE(sizes.batch, sizes.heads, sizes.queries, sizes.keys);
  auto q = Tensor<float>::random({sizes.batch, sizes.heads, sizes.queries, 64}, 1);
  auto k = Tensor<float>::random({sizes.batch, sizes.heads, sizes.keys, 64}, 2);
  auto v = Tensor<float>::random({sizes.batch, sizes.heads, sizes.keys, 64}, 3);
  Tensor<float> y({sizes.batch, sizes.heads, sizes.queries, 64});
  REQUIRE(library.call("dense", {q.view(), k.view(), v.view(), y.view()}) == "");
  AttentionFormula formula{sizes.keys,
                           64,
                           0.125,
                           [&](auto &i) { return q.at(i); },
                           [&](auto &i) { return k.at(i); },
                           [&](auto &i) { return v.at(i); }};
  CHECK(largestDifference(y, formula) < 1e-5);
  CHECK(y.guardsIntact());
}
