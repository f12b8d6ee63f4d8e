#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent n{"n"};
} // namespace

TEST_CASE("embedding takes a row of the table for each id, clamped") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor table = g.weight("table", f32, {3, 2});
                       g.output("y", embedding(g.input("ids", i64, {n, 3}), table));
                       g.output("one", embedding(g.scalar("id", i32), table));
                     }};
  array ids({1, 3}), table({3, 2});
  ids.elements = {2, -7, 3};
  table.elements = {0, 1, 2, 3, 4, 5};
  const std::map<std::string, array> arguments = {{"ids", ids}, {"table", table}, {"id", array({}, 1)}};
  const array y = evaluate(k, arguments, {{"n", 1}});
  CHECK(y.shape == std::vector<std::int64_t>{1, 3, 2});
  CHECK(y.elements == std::vector<double>{4, 5, 0, 1, 4, 5});
  CHECK(evaluate(k, arguments, {{"n", 1}}, "one").elements == std::vector<double>{2, 3});
}

TEST_CASE("embedding says what does not fit") {
  CHECK(fault([](graph &g) { embedding(g.input("ids", f32, {n}), g.weight("table", f32, {3, 2})); }) ==
        "embedding: ids are a tensor (n) of f32, at most 5 axes of i32 or i64 are needed");
  CHECK(fault([](graph &g) { embedding(g.input("ids", i32, {n}), g.weight("table", f32, {3})); }) ==
        "embedding: the table is (3), two axes (rows, depth) are needed");
}
