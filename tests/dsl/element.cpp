#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr tensor scores(graph &g) { return g.input("s", f32, {1, 2, 3, 4}); }
} // namespace

TEST_CASE("elements of captured tensors, each tensor an operand once") {
  constexpr kernel k{
      "k", [](graph &g) {
        tensor bias = g.input("bias", f32, {3, 4}), ids = g.input("ids", i32, {4}),
               on = g.input("on", b8, {1, 2});
        tensor s =
            score_mod(scores(g), [&](value s, index, index, index q, index k) { return s + bias(q, k); });
        g.output("y",
                 mask(s, [&](index b, index h, index q, index k) { return ids[q] == ids[k] && on(b, h); }));
      }};
  CHECK(text_of(k, k.nodes[4]) == "score_mod @6(%3, %0) f32 (1,2,3,4)");
  CHECK(text_of(k, k.nodes[5]) == "mask @15(%4, %1, %2) f32 (1,2,3,4)");
  CHECK(text_of(k, k.instructions[5]) == "element #1(@2, @3) real");
  CHECK(text_of(k, k.instructions[11]) == "element #1(@9) integer");
  CHECK(text_of(k, k.instructions[12]) == "element #1(@10) integer");
  CHECK(text_of(k, k.instructions[14]) == "element #2(@7, @8) truth");
}

TEST_CASE("elements need a program, as many indices as axes, and integers") {
  CHECK(fault([](graph &g) { g.input("t", f32, {4})[0]; }) ==
        "element: elements of a tensor exist only inside mask, score_mod and tabulate");
  CHECK(fault([](graph &g) {
          tensor t = g.input("t", f32, {3, 4});
          score_mod(scores(g), [&](value s, index, index, index q, index) { return s + t[q]; });
        }) == "element: 1 indices for a tensor of shape (3,4), one for each axis is needed");
  CHECK(fault([](graph &g) {
          tensor t = g.input("t", f32, {4});
          score_mod(scores(g), [&](value s, index, index, index, index) { return s + t[s]; });
        }) == "element: an index is a real number, an integer is needed");
}

TEST_CASE("an index that leaves its table is refused when both are numbers") {
  CHECK(fault([](graph &g) {
          tensor slope = g.input("slope", f32, {1});
          score_mod(scores(g), [&](value s, index, index h, index, index) { return s * slope[h]; });
        }) == "element: an index runs over 2, the axis of the tensor has 1, at least as many are needed");
  constexpr kernel k{"k", [](graph &g) {
                       tensor wide = g.input("wide", f32, {9}), any = g.input("any", f32, {extent("n")});
                       g.output("y", score_mod(scores(g), [&](value s, index, index, index, index k) {
                                  return s * wide[k] * any[k] * wide[k % 9];
                                }));
                     }};
  CHECK(k.node_count == 4);
}

TEST_CASE("a program reads at most seven tensors") {
  CHECK(fault([](graph &g) {
          tensor t[8];
          for (int i = 0; i < 8; ++i)
            t[i] = g.input(name("t", i), f32, {4});
          score_mod(scores(g), [&](value s, index, index, index, index k) {
            scalar sum = s;
            for (const tensor &each : t)
              sum = sum + each[k];
            return sum;
          });
        }) == "score_mod: it reads more than 7 tensors; split it into several");
}

TEST_CASE("scalar arguments and computed indices") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor offset = g.scalar("offset", i64), table = g.input("table", f32, {2, 7});
                       tensor s = score_mod(scores(g), [&](value s, index, index h, index q, index k) {
                         return s + table(h, q - k + offset());
                       });
                       g.output("y",
                                mask(s, [&](index, index, index q, index k) { return k <= q + offset(); }));
                     }};
  CHECK(text_of(k, k.nodes[3]) == "score_mod @9(%2, %0, %1) f32 (1,2,3,4)");
  CHECK(text_of(k, k.instructions[6]) == "element #1 integer");
  CHECK(text_of(k, k.instructions[8]) == "element #2(@1, @7) real");
  CHECK(text_of(k, k.nodes[4]) == "mask @16(%3, %0) f32 (1,2,3,4)");
  CHECK(fault([](graph &g) {
          tensor t = g.input("t", f32, {4});
          mask(scores(g), [&](index, index, index q, index k) { return k <= q && t() > 0; });
        }) == "element: 0 indices for a tensor of shape (4), one for each axis is needed");
  CHECK(fault([](graph &g) { g.scalar("n", i64)(); }) ==
        "element: elements of a tensor exist only inside mask, score_mod and tabulate");
}
