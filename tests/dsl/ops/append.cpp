#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent batch{"batch"}, n{"n"}, capacity{"capacity"};

/// A cache of two heads and what a call appends to it.
struct cache {
  tensor state, rows, position;
  constexpr cache(graph &g)
      : state(g.state("cache", f32, {batch, 2, capacity, 4})), rows(g.input("rows", f32, {batch, 2, n, 4})),
        position(g.scalar("position", i64)) {}
};
} // namespace

TEST_CASE("append takes a state, rows and a scalar") {
  constexpr kernel k{"k", [](graph &g) {
                       cache c(g);
                       g.output("y", append(c.state, c.rows, c.position, -2) * 2);
                     }};
  CHECK(text_of(k) == "%0 = state cache f32 (batch,2,capacity,4)\n"
                      "%1 = input rows f32 (batch,2,n,4)\n"
                      "%2 = scalar position i64 ()\n"
                      "%3 = append axis 2(%0, %1, %2) f32 (batch,2,capacity,4)\n"
                      "%4 = constant 2 f32 ()\n"
                      "%5 = multiply(%3, %4) f32 (batch,2,capacity,4)\n"
                      "y = %5\n");
  const array before = mixed({1, 2, 5, 4}, 1), rows = mixed({1, 2, 2, 4}, 2);
  const std::map<std::string, array> arguments = {
      {"cache", before}, {"rows", rows}, {"position", array({}, 1)}};
  const std::map<std::string, std::int64_t> sizes = {{"batch", 1}, {"n", 2}, {"capacity", 5}};
  const array y = evaluate(k, arguments, sizes), after = evaluate(k, arguments, sizes, "cache");
  for_each_position(before.shape, [&](const std::vector<std::int64_t> &at) {
    const bool is_new = at[2] == 1 || at[2] == 2;
    CHECK(after.at(at) == (is_new ? rows.at({at[0], at[1], at[2] - 1, at[3]}) : before.at(at)));
    CHECK(y.at(at) == 2 * after.at(at));
  });
}

TEST_CASE("append refuses what is no state, rows or position") {
  CHECK(fault([](graph &g) {
          cache c(g);
          append(c.rows, c.rows, c.position, 2);
        }) ==
        "append: the first operand, (batch,2,n,4) of f32, is no state, one is needed; write g.state(name, "
        "type, {extents}), or concat(a, b, axis) for tensors");
  CHECK(fault([](graph &g) {
          cache c(g);
          append(c.state, g.input("few", f32, {batch, 1, n, 4}), c.position, 2);
        }) ==
        "append: the state is (batch,2,capacity,4), rows are (batch,1,n,4), shapes that differ only on axis "
        "2 are needed");
  CHECK(fault([](graph &g) {
          cache c(g);
          append(c.state, g.input("wide", f64, {batch, 2, n, 4}), c.position, 2);
        }) == "append: the state is f32, rows are f64, one element type is needed");
  CHECK(fault([](graph &g) {
          append(g.state("cache", f32, {4}), g.input("rows", f32, {5}), g.scalar("position", i32), 0);
        }) == "append: the state is (4), rows are (5), a state that is at least as long is needed");
  CHECK(fault([](graph &g) {
          cache c(g);
          append(c.state, c.rows, g.scalar("real", f32), 2);
        }) ==
        "append: the position is a scalar of f32, a scalar of i32 or i64 is needed; write g.scalar(name, "
        "i64)");
  CHECK(fault([](graph &g) {
          cache c(g);
          append(c.state, c.rows, c.position + 1, 2);
        }) ==
        "append: the position is computed, not a scalar of i64, a scalar of i32 or i64 is needed; write "
        "g.scalar(name, i64)");
  CHECK(fault([](graph &g) {
          cache c(g);
          append(c.state, c.rows, c.position, 4);
        }) == "append: the axis is 4, x is (batch,2,capacity,4), one of its axes is needed");
}

TEST_CASE("a state is used by one append only") {
  CHECK(fault([](graph &g) {
          cache c(g);
          append(c.state, c.rows, c.position, 2);
          append(c.state, c.rows, c.position, 2);
        }) ==
        "append: the state cache has been appended to already, once is possible; append all rows together, "
        "or use two states");
  const char *const used = "state: cache is used by another operation than append, append alone can; use the "
                           "tensor that append(state, rows, position, axis) returns";
  CHECK(fault([](graph &g) {
          cache c(g);
          g.output("y", c.state * 2);
        }) == used);
  CHECK(fault([](graph &g) {
          cache c(g);
          g.output("y", c.state);
        }) == used);
  CHECK(fault([](graph &g) {
          cache c(g);
          g.output("y", tabulate(g, f32, {n}, [&](index i) { return c.state(i, i, i, i); }));
        }) == used);
  CHECK(fault([](graph &g) {
          cache c(g);
          g.output("y", c.rows);
        }) ==
        "state: nothing changes cache, an append is needed; write append(state, rows, position, axis), or "
        "g.input for what only is read");
}
