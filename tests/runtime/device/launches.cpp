/// What a launch on a device is made of: temporaries, slices, grids, steps that sizes choose.

#include "opencl.hpp"

using namespace heed::test;

TEST_CASE("device: steps hand on what temporaries hold") {
  if (!has_opencl())
    return;
  table t;
  const number rows = t.symbol("rows"), n = t.symbol("n");
  const number x = t.input("x", {rows, n}), factor = t.scalar("factor", HEED_F32),
               y = t.output("y", {rows, n});
  const number first = t.temporary({rows, n}, 0), second = t.temporary({rows, n}, 1);
  const auto launch = [&](number from, number to) {
    return table::launch{scale,
                         {{rows, 0, 1}},
                         {operand(from, 1, {axis(n, 1), axis(rows, 0, 0)}), operand(factor, 0, {}),
                          written(to, 1, {axis(n, 1), axis(rows, 0, 0)})}};
  };
  t.step({launch(x, first)});
  t.step({launch(first, second)});
  t.step({launch(second, y)});
  const heed_program program = for_opencl(t);
  const std::vector<float> in = counting(33);
  const float twice = 2;
  guarded out(33);
  for (int repeat = 0; repeat < 3; ++repeat)
    run_ok(program, {heed::view{in.data(), {3, 11}}, heed::view{&twice}, heed::view{out.data(), {3, 11}}});
  for (std::int64_t i = 0; i < 33; ++i)
    CHECK(out[i] == 8 * static_cast<float>(i) + 7);
}

TEST_CASE("device: a slice begins where its offset says, in an argument and in a temporary") {
  if (!has_opencl())
    return;
  table t;
  const number n = t.symbol("n"), twice_n = t.extent(2, 1, {{0, 1}});
  const number x = t.input("x", {twice_n}), factor = t.scalar("factor", HEED_F32), y = t.output("y", {n});
  const number padding = t.temporary({n}, 0), halves = t.temporary({twice_n}, 1);
  const auto launch = [&](heed_operand from, heed_operand to) {
    return table::launch{scale, {}, {from, operand(factor, 0, {}), to}};
  };
  const std::vector<heed_offset> second_half = {{HEED_OFFSET_EXTENT, 0, n}};
  t.step({launch(operand(x, 1, {axis(n, 0)}), written(padding, 1, {axis(n, 0)}))});
  t.step({launch(from(operand(x, 1, {axis(n, 0)}), second_half),
                 from(written(halves, 1, {axis(n, 0)}), second_half))});
  t.step({launch(from(operand(halves, 1, {axis(n, 0)}), second_half), written(y, 1, {axis(n, 0)}))});
  const std::vector<float> in = counting(10);
  const float one = 1;
  guarded out(5);
  run_ok(for_opencl(t), {heed::view{in.data(), {10}}, heed::view{&one}, heed::view{out.data(), {5}}});
  for (std::int64_t i = 0; i < 5; ++i)
    CHECK(out[i] == static_cast<float>(i) + 7);
}

namespace {

/// What a device function was given: extents and strides of an operand's dimensions.
std::vector<std::pair<int, int>> seen;
std::vector<int> scalars;

int look(void **args) {
  seen.clear();
  scalars = {scalar_at(args, 1), scalar_at(args, 2), scalar_at(args, 3)};
  const heed_buffer &x = buffer_at(args, 4);
  for (int d = 0; d < x.dimensions; ++d)
    seen.emplace_back(x.dim[d].extent, x.dim[d].stride);
  CHECK(x.host == nullptr);
  CHECK(x.device != 0);
  return 0;
}

} // namespace

TEST_CASE("device: dimensions are the whole kernel axes, then one per grid axis") {
  if (!has_opencl())
    return;
  table t;
  const number b = t.symbol("b"), s = t.symbol("s"), d = t.symbol("d"),
               blocks = t.extent(1, 16, {{1, 1}}, true);
  const number x = t.input("x", {b, s, d}), list = t.input("list", {b, blocks}), y = t.output("y", {b, s});
  const heed_operand whole = operand(x, 2, {axis(d, 2), axis(s, 1, 1), axis(b, 0, 0)});
  const heed_operand outer = operand(x, 1, {axis(d, 2), axis(s, 1, 1), axis(b, 0, 0)});
  const heed_operand per_tile = operand(list, 0, {axis(blocks, 1, 1, true), axis(b, 0, 0)});
  const heed_operand out = written(y, 1, {axis(s, 1, 1), axis(b, 0, 0)});
  const auto launch = [&](heed_operand first) {
    return table::launch{look, {{b, 0, 1}, {s, 0, 16}}, {first, out}, {{HEED_EXTENT, d}}};
  };
  const auto dimensions = [&](heed_operand first) {
    table copy = t;
    copy.step({launch(first)});
    const std::vector<float> memory(2 * 50 * 3);
    guarded written_memory(2 * 50);
    run_ok(for_opencl(copy), {heed::view{memory.data(), {2, 50, 3}}, heed::view{memory.data(), {2, 4}},
                              heed::view{written_memory.data(), {2, 50}}});
    CHECK(scalars == std::vector<int>{3, 0, 0});
    return seen;
  };
  using pairs = std::vector<std::pair<int, int>>;
  CHECK(dimensions(whole) == pairs{{3, 1}, {50, 3}, {2, 150}, {1, 0}});
  CHECK(dimensions(outer) == pairs{{3, 1}, {2, 150}, {4, 48}});
  CHECK(dimensions(per_tile) == pairs{{2, 4}, {4, 1}});
}

TEST_CASE("device: sizes and a zero choose a step's alternative") {
  if (!has_opencl())
    return;
  table t;
  const number n = t.symbol("n");
  const number x = t.input("x", {n}), factor = t.scalar("factor", HEED_F32), y = t.output("y", {n});
  const table::launch one{
      scale, {}, {operand(x, 1, {axis(n, 0)}), operand(factor, 0, {}), written(y, 1, {axis(n, 0)})}};
  const number between = t.temporary({n}, 0, n, 4);
  const table::launch in{scale, {}, {one.operands[0], one.operands[1], written(between, 1, {axis(n, 0)})}};
  const table::launch out{scale, {}, {operand(between, 1, {axis(n, 0)}), one.operands[1], one.operands[2]}};
  t.step(std::vector<table::alternative>{{n, 4, {in, out}}, {0, -1, {one}}});
  const heed_program program = for_opencl(t);
  const std::vector<float> values = counting(6);
  const float twice = 2;
  for (const std::int64_t count : {4, 6}) {
    guarded y_memory(count);
    run_ok(program,
           {heed::view{values.data(), {count}}, heed::view{&twice}, heed::view{y_memory.data(), {count}}});
    CHECK(y_memory[3] == (count == 4 ? 15 : 7));
  }
}

TEST_CASE("device: many scalars are there, each with its value") {
  if (!has_opencl())
    return;
  table t;
  const number n = t.symbol("n");
  const number x = t.input("x", {n});
  std::vector<number> factors;
  for (int i = 0; i < 12; ++i)
    factors.push_back(t.scalar("factor", HEED_F32));
  const number y = t.output("y", {static_cast<number>(t(12)), n});
  for (int i = 0; i < 12; ++i)
    t.step({{scale,
             {},
             {operand(x, 1, {axis(n, 0)}), operand(factors[static_cast<std::size_t>(i)], 0, {}),
              from(written(y, 1, {axis(n, 1)}), {{HEED_OFFSET_EXTENT, 0, t(i)}})}}});
  const std::vector<float> in = {1, 2}, values = counting(12);
  guarded out(24);
  std::vector<heed_view> views = {heed::view{in.data(), {2}}};
  for (const float &value : values)
    views.push_back(heed::view{&value});
  views.push_back(heed::view{out.data(), {12, 2}});
  run_ok(for_opencl(t), views);
  for (std::int64_t i = 0; i < 12; ++i)
    CHECK(out[2 * i + 1] == 2 * static_cast<float>(i) + 1);
}
