// Slices, appends and what a call leaves in its states.
#include "Reference/Operations.h"
#include "Support.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;
using reference::Evaluation;
using reference::Tensor;

namespace {

constexpr extent n{"n"}, capacity{"capacity"}, d{"d"};

constexpr kernel caches{"caches", [](graph &g) {
                          tensor keys = g.state("keys", f32, {2, capacity, 2}),
                                 position = g.scalar("position", i64);
                          tensor values = g.state("values", i64, {capacity});
                          tensor all = append(keys, g.input("new_keys", f32, {2, n, 2}), position, 1);
                          tensor ids = append(values, g.input("new_values", i64, {n}), position, 0);
                          g.output("twice", all * 2);
                          g.output("ids", ids);
                        }};

Evaluation appended(double position, std::int64_t rows = 1) {
  std::vector<double> fresh(4 * rows);
  for (std::size_t i = 0; i < fresh.size(); ++i)
    fresh[i] = 10 + static_cast<double>(i);
  Tensor ids = tensorOf({rows}, std::vector<double>(rows, 0));
  for (std::int64_t i = 0; i < rows; ++i)
    ids.integers.push_back((std::int64_t{1} << 62) + 1 + i);
  std::vector<Tensor> arguments = {tensorOf({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -2}),
                                   tensorOf({}, {position}), tensorOf({3}, {5, 6, 7}),
                                   tensorOf({2, rows, 2}, fresh), ids};
  return reference::evaluate(caches, arguments);
}

} // namespace

TEST_CASE("results are the outputs, then the states") {
  Evaluation result = appended(1);
  REQUIRE(result.error.empty());
  REQUIRE(result.outputs.size() == 4);
  CHECK(valuesOf(result.outputs[0]) == std::vector<double>{0, 2, 20, 22, 8, 10, 12, 14, 24, 26, -2, -4});
  CHECK(valuesOf(result.outputs[2]) == std::vector<double>{0, 1, 10, 11, 4, 5, 6, 7, 12, 13, -1, -2});
  CHECK(result.outputs[3].integers == std::vector<std::int64_t>{5, (std::int64_t{1} << 62) + 1, 7});
  CHECK(result.outputs[1].integers == result.outputs[3].integers);
}

TEST_CASE("rows fill a state from its first to its last") {
  CHECK(valuesOf(appended(0, 3).outputs[2]) ==
        std::vector<double>{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21});
  CHECK(valuesOf(appended(2).outputs[2]) == std::vector<double>{0, 1, 2, 3, 10, 11, 6, 7, 8, 9, 12, 13});
  CHECK(valuesOf(appended(3, 0).outputs[2]) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -2});
}

TEST_CASE("a position from which rows do not fit is an error") {
  CHECK(appended(3).error ==
        "position: is 3, 1 rows are appended to the 3 of keys, needs a position from which they fit\n");
  CHECK(appended(-1).error ==
        "position: is -1, 1 rows are appended to the 3 of keys, needs a position from which they fit\n");
  CHECK(appended(0, 4).outputs.empty());
}

TEST_CASE("slices take a part of an axis, of numbers or of a symbol") {
  static constexpr kernel parts{"parts", [](graph &g) {
                                  tensor x = g.input("x", f32, {2, d * 3, 2});
                                  auto [a, b, c] = chunk<3>(x, 1);
                                  g.output("b", b);
                                  g.output("ends", select(c, 2, 1) - select(a, -1, 0));
                                  g.output("last", select(x, 1, -1));
                                }};
  Tensor x = reference::zeros({2, 6, 2});
  for (int i = 0; i < 24; ++i)
    x.elements[i].value = i;
  std::vector<Tensor> arguments = {x};
  Evaluation result = reference::evaluate(parts, arguments);
  REQUIRE(result.error.empty());
  CHECK(valuesOf(result.outputs[0]) == std::vector<double>{4, 5, 6, 7, 16, 17, 18, 19});
  CHECK(valuesOf(result.outputs[1]) == std::vector<double>{9, 9, 9, 9});
  CHECK(valuesOf(result.outputs[2]) == std::vector<double>{10, 11, 22, 23});
  Tensor ids = tensorOf({2}, {0, 0});
  ids.integers = {1, std::int64_t{1} << 62};
  CHECK(reference::slice(ids, 0, 1, {1}).integers == std::vector<std::int64_t>{std::int64_t{1} << 62});
}

TEST_CASE("embedding clamps ids into its table") {
  static constexpr kernel lookup{
      "lookup",
      [](graph &g) { g.output("y", embedding(g.input("ids", i32, {n}), g.weight("table", f32, {3, 2}))); }};
  std::vector<double> y =
      valuesOf(firstOutput(lookup, {tensorOf({4}, {2, -5, 1, 9}), tensorOf({3, 2}, {0, 1, 2, 3, 4, 5})}));
  CHECK(y == std::vector<double>{4, 5, 0, 1, 2, 3, 4, 5});
}
