#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("causal shows the keys up to the query") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", mask(g.input("s", f32, {1, 1, 3, 3}), causal())); }};
  CHECK(program_of(k) == "@4 = less_equal(@3, @2) truth\n");
}

TEST_CASE("the corner of causal masks") {
  constexpr auto &top_left = masked<[](graph &) { return causal(); }>;
  constexpr auto &bottom_right = masked<[](graph &) { return causal_bottom_right(queries, keys); }>;
  for (const auto &[rows, columns] : {std::pair{1, 4}, {2, 4}, {4, 2}, {3, 3}}) {
    const int difference = columns - rows;
    check_mask(top_left, {}, {1, 1, rows, columns}, [](int, int, int q, int k) { return k <= q; });
    check_mask(bottom_right, {}, {1, 1, rows, columns},
               [=](int, int, int q, int k) { return k - q <= difference; });
  }
}

TEST_CASE("causal_from counts queries from an offset") {
  constexpr auto &by_number = masked<[](graph &) { return causal_from(2); }>;
  constexpr auto &before = masked<[](graph &) { return causal_from(-1); }>;
  constexpr auto &by_extent = masked<[](graph &) { return causal_from(queries); }>;
  constexpr auto &by_scalar = masked<[](graph &g) { return causal_from(g.scalar("past", i64)); }>;
  constexpr auto &by_entry = masked<[](graph &g) { return causal_from(g.input("past", i32, {batch})); }>;
  const position_4 shape = {2, 1, 3, 7};
  check_mask(by_number, {}, shape, [](int, int, int q, int k) { return k <= q + 2; });
  check_mask(before, {}, shape, [](int, int, int q, int k) { return k < q; });
  check_mask(by_extent, {}, shape, [](int, int, int q, int k) { return k <= q + 3; });
  check_mask(by_scalar, {{"past", number(4)}}, shape, [](int, int, int q, int k) { return k <= q + 4; });
  check_mask(by_entry, {{"past", numbers({1, 3})}}, shape,
             [](int b, int, int q, int k) { return k <= q + (b == 0 ? 1 : 3); });
  CHECK(fault([](graph &g) { causal_from(g.input("past", f32, {batch})); }) ==
        "shifted: offset: it is a tensor (batch) of f32, a number, or integers of shape () or (batch), are "
        "needed");
}
