#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent n{"n"}, d{"d"};
} // namespace

TEST_CASE("slices have a start and the length of their result") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2, 9, d * 3});
                       g.output("numbers", slice(x, 1, 2, 7));
                       g.output("first", slice(x, 2, 0, d));
                       g.output("last", slice(x, -1, d * 2, d));
                       g.output("third", slice(x, -1, d * 3 / 2, d * 3 / 2));
                       g.output("known", slice(g.input("n", f32, {n}), 0, 0, n));
                     }};
  CHECK(text_of(k, k.nodes[1]) == "slice axis 1 start 2(%0) f32 (2,7,3*d)");
  CHECK(text_of(k, k.nodes[2]) == "slice axis 2(%0) f32 (2,9,d)");
  CHECK(text_of(k, k.nodes[3]) == "slice axis 2 start 2*d(%0) f32 (2,9,d)");
  CHECK(text_of(k, k.nodes[4]) == "slice axis 2 start 3/2*d(%0) f32 (2,9,3/2*d)");
  array x = mixed({2, 9, 6}, 1);
  const array y = evaluate(k, {{"x", x}, {"n", array({1})}}, {{"d", 2}, {"n", 1}}, "last");
  for_each_position(y.shape, [&](const std::vector<std::int64_t> &at) {
    CHECK(y.at(at) == x.at({at[0], at[1], at[2] + 4}));
  });
}

TEST_CASE("a slice lies inside, whatever the sizes are") {
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {2, 9}), 1, 2, 8); }) ==
        "slice: the start is 2 and the length 8, axis 1 of x (2,9) is 9, a part of it is needed");
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {2, 9}), 1, -1, 8); }) ==
        "slice: the start is -1 and the length 8, axis 1 of x (2,9) is 9, a part of it is needed");
  const char *const multiples = ", a part of it is needed, in multiples of that extent; write tabulate for "
                                "positions that depend on the call";
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {n}), 0, 0, 1); }) ==
        std::string("slice: the start is 0 and the length 1, axis 0 of x (n) is n") + multiples);
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {d * 3}), 0, d * 2, d * 2); }) ==
        std::string("slice: the start is 2*d and the length 2*d, axis 0 of x (3*d) is 3*d") + multiples);
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {d * 3}), 0, 1, d); }) ==
        std::string("slice: the start is 1 and the length d, axis 0 of x (3*d) is 3*d") + multiples);
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {d * n}), 0, n, d); }) ==
        std::string("slice: the start is n and the length d, axis 0 of x (d*n) is d*n") + multiples);
}

TEST_CASE("slice refuses what is no extent and no axis") {
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {9}), 0, 9, 0); }) ==
        "slice: an extent is 0, at least 1 is needed");
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {9}), 0, extent(9) / 2, 1); }) ==
        "slice: an extent is 9/2, a whole number is needed");
  CHECK(fault([](graph &g) { slice(g.input("x", f32, {9}), 1, 0, 1); }) ==
        "slice: the axis is 1, x is (9), one of its axes is needed");
}
