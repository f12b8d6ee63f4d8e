#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent queries{"queries"}, keys{"keys"};
constexpr tensor scores(graph &g) { return g.input("s", f32, {1, 2, queries, keys}); }
} // namespace

TEST_CASE("mask keeps a program over the four indices") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("y", mask(scores(g), [](index, index, index q, index k) { return k <= q; }));
                     }};
  CHECK(text_of(k) == "%0 = input s f32 (1,2,queries,keys)\n"
                      "%1 = mask @4(%0) f32 (1,2,queries,keys)\n"
                      "@0 = position 0 integer\n@1 = position 1 integer\n"
                      "@2 = position 2 integer\n@3 = position 3 integer\n"
                      "@4 = less_equal(@3, @2) truth\n"
                      "y = %1\n");
}

TEST_CASE("every mask has its own program") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor s = mask(scores(g), [](index, index, index q, index k) { return k <= q; });
                       g.output("y", mask(s, [](index b, index, index, index) { return b == 0; }));
                     }};
  CHECK(text_of(k, k.nodes[2]) == "mask @10(%1) f32 (1,2,queries,keys)");
  CHECK(text_of(k, k.instructions[10]) == "equal(@5, @9) truth");
}

TEST_CASE("numbers, extents and constants stand in programs") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("y", mask(scores(g), [](index, index, index q, index k) {
                                  return k - keys <= q - queries;
                                }));
                     }};
  CHECK(program_of(k) == "@4 = extent keys integer\n"
                         "@5 = subtract(@3, @4) integer\n"
                         "@6 = extent queries integer\n"
                         "@7 = subtract(@2, @6) integer\n"
                         "@8 = less_equal(@5, @7) truth\n");
  constexpr kernel all{"all", [](graph &g) {
                         g.output("y", mask(scores(g), [](index, index, index, index) { return true; }));
                       }};
  CHECK(program_of(all) == "@4 = number 1 truth\n");
}

TEST_CASE("mask refuses other scores and other results") {
  CHECK(fault([](graph &g) {
          mask(g.input("s", f32, {2, 3}), [](index, index, index q, index k) { return k <= q; });
        }) == "mask: scores are (2,3), four axes (batch, heads, queries, keys) are needed");
  CHECK(fault([](graph &g) {
          mask(g.input("s", i32, {1, 1, 2, 3}), [](index, index, index q, index k) { return k <= q; });
        }) == "mask: the element type of the scores is i32, a floating type is needed");
  CHECK(fault([](graph &g) { mask(scores(g), [](index, index, index q, index k) { return k - q; }); }) ==
        "mask: the function returns an integer, a condition is needed; compare it with a number");
}

TEST_CASE("handles belong to their program") {
  CHECK(fault([](graph &g) {
          index stolen;
          tensor s = mask(scores(g), [&](index, index, index q, index k) {
            stolen = q;
            return k <= q;
          });
          mask(s, [&](index, index, index, index k) { return k <= stolen; });
        }) == "operator <=: an operand belongs to another program, the parameters of this one are needed");
  CHECK(fault([](graph &g) {
          tensor s = scores(g);
          mask(s, [&](index, index, index q, index k) {
            mask(s, [](index, index, index, index) { return true; });
            return k <= q;
          });
        }) == "mask: it is called inside another program; call it on the result instead");
}
