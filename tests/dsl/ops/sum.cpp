#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("sum goes over the last axis") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("y", sum(g.input("x", f16, {2, extent("n")})));
                       g.output("count", sum(g.input("ids", i64, {4})));
                     }};
  CHECK(text_of(k, k.nodes[1]) == "sum(%0) f16 (2)");
  CHECK(last_of(k) == "sum(%2) i64 ()");
  array x({2, 3}), ids({4}, 2);
  x.elements = {1, 2, 4, -1, 5, 3};
  CHECK(evaluate(k, {{"x", x}, {"ids", ids}}, {{"n", 3}}).elements == std::vector<double>{7, 7});
  CHECK(evaluate(k, {{"x", x}, {"ids", ids}}, {{"n", 3}}, "count").elements == std::vector<double>{8});
}

TEST_CASE("sum needs numbers in a row") {
  CHECK(fault([](graph &g) { sum(g.scalar("x", f32)); }) ==
        "sum: x is a number, at least one axis is needed");
  CHECK(fault([](graph &g) { sum(g.input("x", b8, {2})); }) ==
        "sum: the element type is b8, a number type is needed; write where(condition, a, b)");
}
