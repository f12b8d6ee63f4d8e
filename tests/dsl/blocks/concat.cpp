#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent past{"past"}, fresh{"fresh"}, sum{"sum"};

constexpr kernel rows{"rows", [](graph &g) {
                        tensor a = g.input("a", f32, {2, past}), b = g.input("b", f32, {2, fresh});
                        g.output("y", concat(a, b, 1, sum));
                        g.input("visible", b8, {sum});
                      }};
constexpr kernel numbers{"numbers", [](graph &g) {
                           tensor a = g.input("a", i32, {2, 3, 1}), b = g.input("b", i32, {2, 1, 1});
                           g.output("y", concat(a, b, -2));
                         }};
} // namespace

TEST_CASE("concat puts one tensor after the other") {
  const array a = mixed({2, 3}, 1), b = mixed({2, 2}, 2);
  const array y =
      evaluate(rows, {{"a", a}, {"b", b}, {"visible", array({5})}}, {{"past", 3}, {"fresh", 2}, {"sum", 5}});
  REQUIRE(y.shape == std::vector<std::int64_t>{2, 5});
  for (int row = 0; row < 2; ++row)
    for (int i = 0; i < 5; ++i)
      CHECK(y.at({row, i}) == (i < 3 ? a.at({row, i}) : b.at({row, i - 3})));

  const array whole = evaluate(numbers, {{"a", mixed({2, 3, 1}, 3)}, {"b", array({2, 1, 1}, 7)}}, {});
  REQUIRE(whole.shape == std::vector<std::int64_t>{2, 4, 1});
  CHECK(whole.at({1, 2, 0}) == mixed({2, 3, 1}, 3).at({1, 2, 0}));
  CHECK(whole.at({1, 3, 0}) == 7);
}

TEST_CASE("concat says what does not fit") {
  CHECK(fault([](graph &g) { concat(g.input("a", f32, {2, past}), g.input("b", f32, {2, fresh}), 1); }) ==
        "concat: a is (2,past), b is (2,fresh), numbers are needed for the sum on axis 1; name it, as in "
        "concat(a, b, axis, extent(name))");
  CHECK(fault([](graph &g) { concat(g.input("a", f32, {2, 3}), g.input("b", f32, {4, 3}), 1); }) ==
        "concat: a is (2,3), b is (4,3), shapes that differ only on axis 1 are needed");
  CHECK(fault([](graph &g) { concat(g.input("a", f32, {2, 3}), g.input("b", f32, {2, 3}), 2); }) ==
        "concat: a is (2,3), b is (2,3), shapes that differ only on axis 2 are needed");
  CHECK(fault([](graph &g) { concat(g.input("a", f32, {2}), g.input("b", f64, {2}), 0); }) ==
        "concat: a is f32, b is f64, one element type is needed");
}
