/// Operands that begin further on in their buffer.

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace heed::test;

namespace {

heed_offset by_extent(number extent, int axis) {
  return {HEED_OFFSET_EXTENT, static_cast<std::int8_t>(axis), extent};
}

} // namespace

TEST_CASE("an offset counts elements along an axis of the buffer") {
  table t;
  const number n = t.symbol("n"), whole = t.extent(3, 1, {{0, 1}}), twice = t.extent(2, 1, {{0, 1}}),
               four = t(4), two = t(2);
  const number x = t.input("x", {whole, four}), y = t.output("y", {n, two});
  // The last third of the rows, the two columns in the middle.
  t.step({{increment,
           {{n, 0, 2}},
           {from(operand(x, 2, {axis(two, 1), axis(n, 0, 0)}), {by_extent(twice, 0), by_extent(0, 1)}),
            written(y, 2, {axis(two, 1), axis(n, 0, 0)})}}});
  std::vector<float> in = counting(9 * 10);
  guarded out(6);
  run_ok(t.program(), {heed::view{in.data(), {9, 4}, {10, 1}}, heed::view{out.data(), {3, 2}}});
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 2; ++column)
      CHECK(out[row * 2 + column] == in[static_cast<std::size_t>((6 + row) * 10 + 1 + column)] + 1);
}

TEST_CASE("an output begins where a scalar says, a temporary where an extent does") {
  table t;
  const number n = t.symbol("n"), twice = t.extent(2, 1, {{0, 1}}), eight = t(8);
  const number x = t.input("x", {n}), at = t.scalar("at", HEED_I64), y = t.output("y", {eight});
  t.bound(at, eight, n);
  const number between = t.temporary({twice}, 0);
  t.step({{increment,
           {{n, 0, 4}},
           {operand(x, 1, {axis(n, 0, 0)}), from(written(between, 1, {axis(n, 0, 0)}), {by_extent(n, 0)})}}});
  t.step({{increment,
           {{n, 0, 4}},
           {from(operand(between, 1, {axis(n, 0, 0)}), {by_extent(n, 0)}),
            from(written(y, 1, {axis(n, 0, 0)}), {{HEED_OFFSET_ARGUMENT, 0, at}})}}});
  std::vector<float> in = counting(3);
  std::int64_t position = 5;
  guarded out(8);
  run_ok(t.program(), {heed::view{in.data(), {3}}, heed::view{&position}, heed::view{out.data(), {8}}});
  for (int i = 0; i < 5; ++i)
    CHECK(std::isnan(out[i]));
  for (int i = 0; i < 3; ++i)
    CHECK(out[5 + i] == in[static_cast<std::size_t>(i)] + 2);
}

TEST_CASE("a part without elements is read nowhere") {
  table t;
  const number n = t.symbol("n"), far = t(std::int64_t{1} << 40), none = t(0), one = t(1);
  const number x = t.input("x", {n}), y = t.output("y", {one});
  static const float *seen;
  const auto look_up = [](void **args) {
    seen = reinterpret_cast<const float *>(buffer_at(args, 1).host);
    element(buffer_at(args, 2), {0, 0, 0}) = *seen;
    return 0;
  };
  t.step({{look_up,
           {},
           {from(operand(x, 1, {axis(none, 0)}), {by_extent(far, 0)}), written(y, 1, {axis(one, 0)})}}});
  std::vector<float> in = counting(5);
  guarded out(1);
  run_ok(t.program(), {heed::view{in.data(), {5}}, heed::view{out.data(), {1}}});
  CHECK(out[0] == 0);
  CHECK((seen < in.data() || seen >= in.data() + 5));
}

TEST_CASE("an offset beyond the address space is refused") {
  table t;
  const number one = t(1), huge = t(std::numeric_limits<std::int64_t>::max() / 2);
  const number x = t.input("x", {one}), y = t.output("y", {one});
  t.step({{increment,
           {},
           {from(operand(x, 1, {axis(one, 0)}), {by_extent(huge, 0)}), written(y, 1, {axis(one, 0)})}}});
  std::vector<float> in = counting(1);
  guarded out(1);
  check_refused(run(t.program(), {heed::view{in.data(), {1}}, heed::view{out.data(), {1}}}), HEED_UNSUPPORTED,
                "x: one tile of tile reaches more than 2^63 elements far, at most 2147483647 are supported; "
                "pass a tensor that is shorter or lies denser");
  CHECK(std::isnan(out[0]));
}
