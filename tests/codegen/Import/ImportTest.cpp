// What a spec's words become in the dialect.
#include "Support.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;
using Catch::Matchers::Contains;

namespace {

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"}, heads{"heads"}, d{"d"};

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {batch, queries, 10});
                         tensor w = g.weight("w", f32, {8, 10});
                         tensor bias = g.weight("bias", f32, {8});
                         tensor q = split_heads(linear(x, w, bias), 2);
                         tensor scores = matmul(q, transpose(q)) / sqrt(4);
                         g.output("y", merge_heads(matmul(softmax(scores), q)));
                       }};

} // namespace

TEST_CASE("every word becomes its operation, names and roles stay") {
  Imported block = import(::block);
  CHECK(block.errors == "");
  REQUIRE(block.succeeded);
  CHECK_THAT(
      block.text,
      Contains("heed.kernel @block(%x: !heed.tensor<[batch, queries, 10], f32> {heed.name = \"x\", "
               "heed.role = \"input\"}, %w: !heed.tensor<[8, 10], f32> {heed.name = \"w\", heed.role = "
               "\"weight\"}"));
  CHECK_THAT(block.text, Contains("-> (!heed.tensor<[batch, queries, 8], f32> {heed.name = \"y\"})"));
  CHECK_THAT(block.text, Contains("heed.linear %x, %w, %bias :"));
  CHECK_THAT(block.text, Contains("heed.split_heads %0 into <2>"));
  CHECK_THAT(block.text, Contains("heed.constant 2.000000e+00"));
  CHECK_THAT(block.text, Contains("heed.merge_heads"));
}

TEST_CASE("operations know the line of the spec") {
  Imported located = import(block, true);
  int line = 0;
  for (const spec::node *node = block.nodes; node != block.nodes + block.node_count; ++node)
    if (node->kind == spec::op::softmax)
      line = node->line;
  REQUIRE(line > 0);
  CHECK_THAT(located.text, Contains("ImportTest.cpp\":" + std::to_string(line) + ":0"));
}

TEST_CASE("derived extents are products and quotients of names") {
  static constexpr kernel derived{"derived", [](graph &g) {
                                    tensor x = g.input("x", f64, {batch, queries, d});
                                    g.output("c", g.input("table", f64, {heads}));
                                    tensor y = split_heads(x, heads);
                                    g.output("y", permute(y, {0, 2, 1, 3}));
                                    g.output("z", merge_heads(y));
                                  }};
  Imported result = import(derived);
  CHECK(result.errors == "");
  CHECK_THAT(result.text, Contains("into <heads>"));
  CHECK_THAT(result.text, Contains("!heed.tensor<[batch, heads, queries, d/heads], f64>"));
  CHECK_THAT(result.text, Contains("heed.permute %0 [0, 2, 1, 3]"));
  CHECK_THAT(result.text, Contains("(!heed.tensor<[batch, heads, queries, d/heads], f64>) -> "
                                   "!heed.tensor<[batch, queries, d], f64>"));
}

TEST_CASE("a mask is a region of integer arithmetic") {
  static constexpr kernel masked{"masked", [](graph &g) {
                                   tensor s = g.input("s", f32, {batch, heads, queries, keys});
                                   g.output("y",
                                            mask(s, [](heed::index, heed::index, heed::index q,
                                                       heed::index k) { return k <= q && q - k < 256; }));
                                 }};
  Imported result = import(masked);
  CHECK(result.errors == "");
  CHECK_THAT(result.text, Contains("heed.mask %s :"));
  CHECK_THAT(result.text, Contains("^bb0(%b: i64, %h: i64, %q: i64, %k: i64):"));
  CHECK_THAT(result.text, Contains("arith.cmpi sle, %k, %q : i64"));
  CHECK_THAT(result.text, Contains("arith.subi %q, %k : i64"));
  CHECK_THAT(result.text, Contains("arith.constant 256 : i64"));
  CHECK_THAT(result.text, Contains("arith.andi"));
}

TEST_CASE("a score program reads tables and mixes integers with numbers") {
  static constexpr kernel alibi{
      "alibi", [](graph &g) {
        tensor s = g.input("s", f32, {batch, heads, queries, keys});
        tensor slope = g.input("slope", f32, {heads});
        g.output("y", score_mod(s, [&](value score, heed::index, heed::index h, heed::index q,
                                       heed::index k) { return score + slope(h) * (k - q); }));
      }};
  Imported result = import(alibi);
  CHECK(result.errors == "");
  CHECK_THAT(result.text, Contains("heed.score_mod %s captures(%slope)"));
  CHECK_THAT(result.text, Contains("[%h] : !heed.tensor<[heads], f32> -> f32"));
  CHECK_THAT(result.text, Contains("arith.sitofp"));
  CHECK_THAT(result.text, Contains("arith.addf"));
}

TEST_CASE("an extent in a program is a number of the call") {
  static constexpr kernel corner{"corner", [](graph &g) {
                                   tensor s = g.input("s", f32, {batch, heads, queries, keys});
                                   g.output("y",
                                            mask(s, [](heed::index, heed::index, heed::index q,
                                                       heed::index k) { return k - keys <= q - queries; }));
                                 }};
  Imported result = import(corner);
  CHECK(result.errors == "");
  CHECK_THAT(result.text, Contains("heed.extent_value <keys>"));
  CHECK_THAT(result.text, Contains("heed.extent_value <queries>"));
}

TEST_CASE("scalars are arguments of rank 0, which programs read without indices") {
  static constexpr kernel shifted{"shifted", [](graph &g) {
                                    tensor s = g.input("s", f32, {batch, heads, queries, keys});
                                    tensor offset = g.scalar("offset", i32);
                                    g.output("y", mask(s, [&](heed::index, heed::index, heed::index q,
                                                              heed::index k) { return k <= q + offset(); }));
                                  }};
  Imported result = import(shifted);
  CHECK(result.errors == "");
  CHECK_THAT(result.text, Contains("%offset: !heed.tensor<[], i32> {heed.name = \"offset\", heed.role = "
                                   "\"scalar\"}"));
  CHECK_THAT(result.text, Contains("heed.mask %s captures(%offset)"));
  CHECK_THAT(result.text, Contains("[] : !heed.tensor<[], i32> -> i64"));
}

TEST_CASE("a table is a map of positions and captures") {
  static constexpr kernel doubled{
      "doubled", [](graph &g) {
        tensor x = g.input("x", f64, {batch, queries});
        g.output("y", tabulate(g, f64, {batch, 2 * queries},
                               [&](heed::index b, heed::index i) { return x(b, i / 2) * 0.5; }));
        g.output("z", tabulate(g, i32, {queries}, [&](heed::index i) { return i % 3; }));
      }};
  Imported result = import(doubled);
  CHECK(result.errors == "");
  CHECK_THAT(result.text, Contains("heed.map captures(%x) : (!heed.tensor<[batch, queries], f64>) -> "
                                   "!heed.tensor<[batch, 2*queries], f64> {"));
  CHECK_THAT(result.text, Contains("= heed.position 0"));
  CHECK_THAT(result.text, Contains("= heed.position 1"));
  CHECK_THAT(result.text, Contains("arith.constant 5.000000e-01 : f64"));
  CHECK_THAT(result.text, Contains("heed.map : () -> !heed.tensor<[queries], i32> {"));
}

TEST_CASE("weights have their options") {
  static constexpr kernel weights{"weights", [](graph &g) {
                                    tensor s = g.input("s", f32, {batch, heads, queries, keys});
                                    tensor sink = g.weight("sink", f32, {heads});
                                    tensor p = g.scalar("p", f32), seed = g.scalar("seed", i64);
                                    tensor w = softmax(s, {.sink = sink, .nan_for_empty = true});
                                    g.output("y", dropout(dropout(w, p, seed), 0.5, seed));
                                    g.output("lse", append_axis(log_sum_exp(s, {.sink = sink})));
                                    g.output("groups", repeat_heads(s, 3));
                                  }};
  Imported result = import(weights);
  CHECK(result.errors == "");
  CHECK_THAT(result.text, Contains("heed.softmax %s, %sink {nan_for_empty} :"));
  CHECK_THAT(result.text, Contains("heed.dropout %0, %p, %seed site 0 :"));
  CHECK_THAT(result.text, Contains("%seed site 1 :"));
  CHECK_THAT(result.text, Contains("heed.log_sum_exp %s, %sink :"));
  CHECK_THAT(result.text, Contains("heed.append_axis"));
  CHECK_THAT(result.text, Contains("-> !heed.tensor<[batch, 3*heads, queries, keys], f32>"));
}
