#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("argmax is the first of the largest, an i32") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", argmax(g.input("x", f16, {2, 3}))); }};
  CHECK(last_of(k) == "argmax(%0) i32 (2)");
  array x({2, 3});
  x.elements = {1, 4, 2, -3, -5, -3};
  CHECK(evaluate(k, {{"x", x}}, {}).elements == std::vector<double>{1, 0});
  CHECK(fault([](graph &g) { argmax(g.input("x", b8, {2})); }) ==
        "argmax: the element type is b8, a number type is needed; write where(condition, a, b)");
}
