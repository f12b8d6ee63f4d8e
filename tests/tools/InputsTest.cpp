// What verify and bench draw for arguments: integers in ranges that programs give a meaning, poison only in
// keys and values.
#include "Arrays/IntegerRanges.h"
#include "Arrays/RandomInputs.h"
#include "Verify/Poison.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <heed/dsl.hpp>
#include <set>

using namespace heed;
using namespace heed::tools;

namespace {

constexpr heed::extent batch{"batch"}, queries{"queries"}, keys{"keys"};

constexpr kernel everything{
    "everything", [](graph &g) {
      tensor q = g.input("q", f32, {batch, 2, queries, 4}), k = g.input("k", f32, {batch, 2, keys, 4}),
             v = g.input("v", f32, {batch, 2, keys, 4});
      tensor lengths = g.input("lengths", i32, {batch}), ids = g.input("ids", i64, {keys}),
             buckets = g.input("buckets", i32, {keys}), table = g.input("table", f32, {9});
      tensor past = g.scalar("past", i64), p = g.scalar("p", f32), seed = g.scalar("seed", i64);
      auto seen = [=](index b, index, index q, index k) {
        return k < lengths(b) && ids(q) == ids(k) && k <= q + past();
      };
      auto biased = [=](value s, index, index, index, index k) { return s + table(buckets(k)); };
      tensor scores = mask(score_mod(matmul(q, transpose(k)), biased), seen);
      g.output("y", matmul(dropout(softmax(scores), p, seed), v));
    }};

/// The argument of this name.
int argument(std::string_view name) {
  const spec::graph &kernel = everything;
  for (int node : reference::argumentNodes(kernel))
    if (name == kernel.nodes[node].name)
      return node;
  return -1;
}

const reference::SymbolValues sizes = {3, 20, 50}; // batch, queries, keys

HostTensor drawn(const char *name, int seed) {
  std::mt19937_64 random(seed);
  return drawForVerify(everything, argument(name), sizes, random);
}

} // namespace

TEST_CASE("integers range over what they are compared with or index") {
  CHECK(largestInteger(everything, argument("lengths"), sizes) == 50);
  CHECK(largestInteger(everything, argument("past"), sizes) == 50);
  CHECK(largestInteger(everything, argument("ids"), sizes) == 2);
  CHECK(largestInteger(everything, argument("buckets"), sizes) == 8);
}

TEST_CASE("drawn integers reach both ends of their range") {
  for (auto [name, largest] : {std::pair{"lengths", 50}, {"ids", 2}, {"buckets", 8}}) {
    std::set<double> seen;
    for (int seed = 0; seed < 200; ++seed) {
      HostTensor tensor = drawn(name, seed);
      for (std::int64_t i = 0; i < tensor.size(); ++i)
        seen.insert(static_cast<double>(tensor.at(i)));
    }
    CHECK(*seen.begin() == -1);
    CHECK(*seen.rbegin() == largest);
  }
}

TEST_CASE("dropout gets probabilities and seeds of all bits") {
  std::set<double> probabilities;
  std::int64_t bits = 0;
  for (int seed = 0; seed < 100; ++seed) {
    probabilities.insert(static_cast<double>(drawn("p", seed).at(0)));
    bits |= static_cast<std::int64_t>(drawn("seed", seed).at(0));
  }
  CHECK(*probabilities.begin() == 0);
  CHECK(*probabilities.rbegin() == 1);
  CHECK(bits == -1);
}

TEST_CASE("a benchmark's lengths are full and its identifiers equal") {
  Inputs inputs = completedForBench(everything, sizes, {});
  CHECK(inputs.size() == reference::argumentNodes(everything).size());
  CHECK(inputs.at(argument("lengths")).at(2) == 50);
  CHECK(inputs.at(argument("ids")).at(0) == inputs.at(argument("ids")).at(49));
}

TEST_CASE("poison goes into keys and values alone") {
  for (const char *name : {"q", "k", "v", "table"}) {
    HostTensor tensor = drawn(name, 1), before = tensor;
    std::mt19937_64 random(1);
    poison(everything, argument(name), tensor, random);
    bool hasPoison = false;
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      hasPoison |= std::isnan(tensor.at(i)) || tensor.at(i) == 1e30f;
    INFO(name);
    CHECK(hasPoison == (name[0] == 'k' || name[0] == 'v'));
    CHECK((tensor.bytes == before.bytes) == !hasPoison);
  }
}
