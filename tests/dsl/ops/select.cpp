#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent n{"n"};
} // namespace

TEST_CASE("select is a view on an axis whose extent is a number") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", select(g.input("x", f32, {2, 9, 3}), 1, -2)); }};
  CHECK(text_of(k, k.nodes[1]) == "slice axis 1 start 7(%0) f32 (2,1,3)");
  CHECK(last_of(k) == "drop_axis axis 1(%1) f32 (2,3)");
}

TEST_CASE("select looks up where only the call tells the extent") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2, n, 3});
                       g.output("first", select(x, 1, 0));
                       g.output("last", select(x, 1, -1));
                       g.output("tenth", select(x, 1, 9));
                       g.output("number", select(g.input("row", i32, {n}), 0, -1));
                     }};
  const array x = mixed({2, 4, 3}, 1), row = mixed({4}, 2);
  for (int i = 0; i < 3; ++i) {
    const char *const names[] = {"first", "last", "tenth"};
    const array y = evaluate(k, {{"x", x}, {"row", row}}, {{"n", 4}}, names[i]);
    REQUIRE(y.shape == std::vector<std::int64_t>{2, 3});
    for_each_position(y.shape, [&](const std::vector<std::int64_t> &at) {
      CHECK(y.at(at) == x.at({at[0], i == 0 ? 0 : 3, at[1]}));
    });
  }
  CHECK(evaluate(k, {{"x", x}, {"row", row}}, {{"n", 4}}, "number").elements == std::vector{row.elements[3]});
}

TEST_CASE("select says what does not fit") {
  CHECK(fault([](graph &g) { select(g.input("x", f32, {2, 3}), 1, 3); }) ==
        "select: the element is 3, axis 1 of x (2,3) is 3, one of its elements is needed");
  CHECK(fault([](graph &g) { select(g.input("x", f32, {2, 3}), 1, -4); }) ==
        "select: the element is -4, axis 1 of x (2,3) is 3, one of its elements is needed");
  CHECK(fault([](graph &g) { select(g.input("x", f32, {2, 3}), 2, 0); }) ==
        "select: the axis is 2, x is (2,3), one of its axes is needed");
}
