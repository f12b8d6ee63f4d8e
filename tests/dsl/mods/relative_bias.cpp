#include "../library.hpp"

#include <algorithm>

using namespace heed;
using namespace heed::testing;

TEST_CASE("relative_bias has a column for each distance") {
  const array table = mixed({2, 5}, 3);
  const auto expected = [&](double s, int, int h, int q, int k) {
    return s + table.at({h, std::min(std::max(q - k, -2), 2) + 2});
  };
  constexpr auto &by_number =
      changed<2, [](graph &g) { return relative_bias(g.weight("table", f32, {2, 5})); }>;
  check_score_mod(by_number, {{"table", table}}, {1, 2, 3, 3}, expected);
  check_score_mod(by_number, {{"table", table}}, {1, 2, 5, 6}, expected);
  constexpr auto &by_name =
      changed<2, [](graph &g) { return relative_bias(g.weight("table", f32, {2, heads})); }>;
  const array y = evaluate(by_name, {{"table", table}, {"scores", array({1, 2, 3, 3})}},
                           {{"batch", 1}, {"queries", 3}, {"keys", 3}, {"heads", 5}});
  CHECK(y.at({0, 1, 2, 0}) == table.at({1, 4}));
  CHECK(y.at({0, 0, 0, 1}) == table.at({0, 1}));
}

TEST_CASE("relative_bias says what does not fit") {
  CHECK(
      fault([](graph &g) { relative_bias(g.weight("table", f32, {2, 4})); }) ==
      "relative_bias: the table is (2,4), an odd number of columns is needed, with distance 0 in the middle");
  CHECK(fault([](graph &g) { relative_bias(g.weight("table", f32, {5})); }) ==
        "relative_bias: the table is (5) of f32, floats of shape (heads, 2 n - 1) are needed");
}
