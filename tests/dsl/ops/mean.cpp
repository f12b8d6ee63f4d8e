#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent n{"n"};
} // namespace

TEST_CASE("mean divides by a number of elements, or by one that the call tells") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("number", mean(g.input("a", f32, {2, 4})));
                       g.output("symbol", mean(g.input("b", f32, {2, n})));
                       g.output("row", mean(g.input("c", f64, {n})));
                       g.output("narrow", mean(g.input("d", f16, {4})));
                     }};
  CHECK(text_of(k, k.nodes[1]) == "sum(%0) f32 (2)");
  CHECK(text_of(k, k.nodes[3]) == "divide(%1, %2) f32 (2)");
  array a({2, 4}), b({2, 3}), c({3}), d({4});
  a.elements = {1, 2, 3, 4, 2, 2, 2, 2};
  b.elements = {1, 2, 6, -1, -1, -1};
  c.elements = {1, 5, 6};
  d.elements = {1, 2, 3, 8};
  const std::map<std::string, array> arguments = {{"a", a}, {"b", b}, {"c", c}, {"d", d}};
  const auto result = [&](const char *name) { return evaluate(k, arguments, {{"n", 3}}, name); };
  CHECK(result("number").elements == std::vector<double>{2.5, 2});
  CHECK(result("symbol").elements == std::vector<double>{3, -1});
  CHECK(result("row").elements == std::vector<double>{4});
  CHECK(result("row").shape.empty());
  CHECK(result("narrow").elements == std::vector<double>{3.5});
}

TEST_CASE("mean of narrow elements sums in f32") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", mean(g.input("x", bf16, {3, n}))); }};
  CHECK(text_of(k, k.nodes[1]) == "convert(%0) f32 (3,n)");
  CHECK(text_of(k, k.nodes[2]) == "sum(%1) f32 (3)");
  CHECK(last_of(k).substr(0, 8) == "tabulate");
  CHECK(k.nodes[k.node_count - 1].type == bf16);
  constexpr kernel fixed{"fixed", [](graph &g) { g.output("y", mean(g.input("x", f16, {3, 8}))); }};
  CHECK(text_of(fixed, fixed.nodes[4]) == "divide(%2, %3) f32 (3)");
  CHECK(last_of(fixed) == "convert(%4) f16 (3)");
}

TEST_CASE("mean says what does not fit") {
  CHECK(fault([](graph &g) { mean(g.input("x", i32, {2})); }) ==
        "mean: the element type is i32, a floating type is needed; write sum(x) for integers");
  CHECK(fault([](graph &g) { mean(g.scalar("x", f32)); }) ==
        "mean: x is a number, at least one axis is needed");
}
