/// The grid of a launch: blocks with tails, broadcasts, one element per tile, multiplied strides, limits.

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace heed::test;

TEST_CASE("a block's last tile is shorter") {
  for (const std::int64_t rows : {1, 4, 5, 7, 8, 13}) {
    table t;
    const number n = t.symbol("n"), three = t(3);
    const number x = t.input("x", {n, three}), y = t.output("y", {n, three});
    t.step(
        {{increment,
          {{n, 0, 4}},
          {operand(x, 2, {axis(three, 1), axis(n, 0, 0)}), written(y, 2, {axis(three, 1), axis(n, 0, 0)})}}});
    auto in = counting(rows * 3);
    guarded out(rows * 3);
    logged.clear();
    run_ok(t.program(), {heed::view{in.data(), {rows, 3}}, heed::view{out.data(), {rows, 3}}});
    for (int i = 0; i < rows * 3; ++i)
      CHECK(out[i] == in[i] + 1);
    auto tiles = logged.tiles();
    CHECK(static_cast<std::int64_t>(tiles.size()) == (rows + 3) / 4);
    std::int64_t seen = 0;
    for (const auto &tile : tiles) {
      CHECK(tile[0] == 3);
      CHECK(tile[1] <= 4);
      seen += tile[1];
    }
    CHECK(seen == rows);
  }
}

TEST_CASE("two blocked axes cover every element once") {
  table t;
  const number m = t.symbol("m"), n = t.symbol("n");
  const number x = t.input("x", {m, n}), y = t.output("y", {m, n});
  t.step({{increment,
           {{m, 0, 4}, {n, 0, 3}},
           {operand(x, 2, {axis(n, 1, 1), axis(m, 0, 0)}), written(y, 2, {axis(n, 1, 1), axis(m, 0, 0)})}}});
  auto in = counting(9 * 11);
  guarded out(9 * 11);
  logged.clear();
  run_ok(t.program(), {heed::view{in.data(), {9, 11}}, heed::view{out.data(), {9, 11}}});
  for (int i = 0; i < 9 * 11; ++i)
    CHECK(out[i] == in[i] + 1);
  auto tiles = logged.tiles();
  CHECK(tiles.size() == 12);
  CHECK(std::count(tiles.begin(), tiles.end(), std::array{2, 1, 1}) == 1);
  CHECK(std::count(tiles.begin(), tiles.end(), std::array{3, 4, 1}) == 6);
}

TEST_CASE("all sixteen ways to broadcast four axes") {
  constexpr std::int64_t sizes[] = {2, 3, 5, 4};
  for (int pattern = 0; pattern < 16; ++pattern) {
    table t;
    const number b = t.symbol("b"), h = t.symbol("h"), q = t.symbol("q"), k = t.symbol("k");
    const number whole[] = {b, h, q, k};
    std::vector<number> shape(4, 0);
    std::int64_t extents[4], strides[4];
    int along[4];
    for (int a = 0; a < 4; ++a) {
      const bool present = pattern >> a & 1;
      extents[a] = present ? sizes[a] : 1;
      along[a] = present ? a : -1;
      if (present)
        shape[a] = whole[a];
    }
    strides[3] = 1;
    for (int a = 2; a >= 0; --a)
      strides[a] = strides[a + 1] * extents[a + 1];
    const number x = t.input("x", {b, h, q, k}), bias = t.input("bias", shape),
                 y = t.output("y", {b, h, q, k});
    const std::vector<heed_axis> full = {axis(k, 3), axis(q, 2, 2), axis(h, 1, 1), axis(b, 0, 0)};
    t.step({{sum,
             {{b, 1, 1}, {h, 1, 1}, {q, 0, 2}},
             {operand(x, 2, full),
              operand(bias, 2,
                      {axis(k, along[3]), axis(q, along[2], 2), axis(h, along[1], 1), axis(b, along[0], 0)}),
              written(y, 2, full)}}});
    auto in = counting(120), added = counting(extents[0] * strides[0]);
    guarded out(120);
    run_ok(t.program(), {heed::view{in.data(), {2, 3, 5, 4}},
                         heed::view{added.data(), {extents[0], extents[1], extents[2], extents[3]}},
                         heed::view{out.data(), {2, 3, 5, 4}}});
    int wrong = 0;
    for (std::int64_t i = 0; i < 120; ++i) {
      const std::int64_t index[] = {i / 60, i / 20 % 3, i / 4 % 5, i % 4};
      std::int64_t at = 0;
      for (int a = 0; a < 4; ++a)
        at += along[a] < 0 ? 0 : index[a] * strides[a];
      wrong += out[i] != in[static_cast<std::size_t>(i)] + added[static_cast<std::size_t>(at)];
    }
    INFO("pattern " << pattern);
    CHECK(wrong == 0);
  }
}

TEST_CASE("an operand can have one element per tile") {
  // Each tile of 4 elements of x writes its sum to one element of y, a table by tile.
  table t;
  const number n = t.symbol("n");
  const number blocks = t.extent(1, 4, {{0, 1}}, true);
  const number x = t.input("x", {n}), y = t.output("y", {blocks});
  t.step(
      {{sum_keys, {{n, 0, 4}}, {operand(x, 1, {axis(n, 0, 0)}), written(y, 1, {axis(blocks, 0, 0, true)})}}});
  auto in = counting(10);
  guarded out(3);
  run_ok(t.program(), {heed::view{in.data(), {10}}, heed::view{out.data(), {3}}});
  CHECK(out[0] == 0 + 1 + 2 + 3);
  CHECK(out[1] == 4 + 5 + 6 + 7);
  CHECK(out[2] == 8 + 9);
}

namespace {
/// start, in, out: out = in + start of the tile.
int add_start(void **args) {
  const auto &in = buffer_at(args, 2), &out = buffer_at(args, 3);
  for_each_index(
      out, [&](auto at) { element(out, at) = element(in, at) + static_cast<float>(scalar_at(args, 1)); });
  return 0;
}
} // namespace

TEST_CASE("a tile function learns where its tile starts") {
  table t;
  const number b = t.symbol("b"), n = t.symbol("n");
  const number x = t.input("x", {b, n}), y = t.output("y", {b, n});
  t.step({{add_start,
           {{b, 1, 1}, {n, 0, 4}},
           {operand(x, 1, {axis(n, 1, 1), axis(b, 0, 0)}), written(y, 1, {axis(n, 1, 1), axis(b, 0, 0)})},
           {{HEED_TILE_START, 1}}}});
  std::vector<float> in(30);
  guarded out(30);
  run_ok(t.program(), {heed::view{in.data(), {3, 10}}, heed::view{out.data(), {3, 10}}});
  for (int i = 0; i < 30; ++i)
    CHECK(out[i] == static_cast<float>(i % 10 / 4 * 4));
}

TEST_CASE("a multiplied stride splits an axis") {
  // x (n, heads * d) seen as (heads, n, d), written to y (heads, n, d).
  table t;
  const number n = t.symbol("n"), heads = t.symbol("heads"), d = t.symbol("d");
  const number x = t.input("x", {n, t.extent(1, 1, {{1, 1}, {2, 1}})}), y = t.output("y", {heads, n, d});
  heed_axis head = axis(heads, 1, 0);
  head.multiplier = d;
  t.step({{increment,
           {{heads, 0, 1}, {n, 0, 2}},
           {operand(x, 2, {axis(d, 1), axis(n, 0, 1), head}),
            written(y, 2, {axis(d, 2), axis(n, 1, 1), axis(heads, 0, 0)})}}});
  auto in = counting(5 * 6);
  guarded out(5 * 6);
  run_ok(t.program(), {heed::view{in.data(), {5, 6}}, heed::view{out.data(), {2, 5, 3}}});
  for (int h = 0; h < 2; ++h)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 3; ++j)
        CHECK(out[(h * 5 + i) * 3 + j] == static_cast<float>(i * 6 + h * 3 + j) + 1);
}

TEST_CASE("no output, nothing to do; no keys, zeros") {
  table t;
  const number rows = t.symbol("rows"), keys = t.symbol("keys");
  const number x = t.input("x", {rows, keys}), y = t.output("y", {rows});
  t.step({{sum_keys,
           {{rows, 0, 4}},
           {operand(x, 2, {axis(keys, 1), axis(rows, 0, 0)}), written(y, 1, {axis(rows, 0, 0)})}}});
  guarded out(6);
  run_ok(t.program(), {heed::view{static_cast<float *>(nullptr), {6, 0}}, heed::view{out.data(), {6}}});
  for (int i = 0; i < 6; ++i)
    CHECK(out[i] == 0);
  run_ok(t.program(), {heed::view{static_cast<float *>(nullptr), {6, 0}, {std::int64_t{1} << 62, 77}},
                       heed::view{out.data(), {6}}});
  std::vector<float> in(12);
  run_ok(t.program(), {heed::view{in.data(), {0, 12}}, heed::view{static_cast<float *>(nullptr), {0}}});
}

TEST_CASE("offsets between tiles have 64 bits") {
  // 2 rows, 2^31 + 6 elements apart, in memory that the system never has to provide.
  const std::int64_t stride = (std::int64_t{1} << 31) + 6;
  table t;
  const number n = t.symbol("n"), four = t(4);
  const number x = t.input("x", {n, four}, HEED_F32), y = t.output("y", {n, four});
  const auto program = [&](int block) {
    t.step(
        {{increment,
          {{n, 0, block}},
          {operand(x, 2, {axis(four, 1), axis(n, 0, 0)}), written(y, 2, {axis(four, 1), axis(n, 0, 0)})}}});
    return t.program();
  };
  auto in = counting(8);
  float *const far = static_cast<float *>(std::calloc(static_cast<std::size_t>(stride + 4), sizeof(float)));
  if (!far) {
    WARN("no address space for 8 GiB");
    return;
  }
  run_ok(program(1), {heed::view{in.data(), {2, 4}}, heed::view{far, {2, 4}, {stride, 1}}});
  for (int i = 0; i < 4; ++i) {
    CHECK(far[i] == in[static_cast<std::size_t>(i)] + 1);
    CHECK(far[stride + i] == in[static_cast<std::size_t>(i) + 4] + 1);
  }
  std::free(far);
}

TEST_CASE("more than 32 bits inside a tile are refused in words") {
  table t;
  const number n = t.symbol("n"), one = 0, keys = t.symbol("keys");
  const number x = t.input("x", {keys, one}), y = t.output("y", {n});
  t.step({{sum_keys,
           {{n, 0, 4}},
           {operand(x, 2, {axis(one, 1), axis(keys, 0)}), written(y, 1, {axis(n, 0, 0)})}}});
  float anything = 0;
  guarded out(2);
  check_refused(
      run(t.program(), {heed::view{&anything, {24000, 1}, {89600, 1}}, heed::view{out.data(), {2}}}),
      HEED_UNSUPPORTED,
      "x: one tile of tile reaches 2150310400 elements far, at most 2147483647 are supported; pass a "
      "tensor that is shorter or lies denser");
  check_refused(
      run(t.program(),
          {heed::view{&anything, {std::int64_t{1} << 40, 1}, {0, 1}}, heed::view{out.data(), {2}}}),
      HEED_UNSUPPORTED,
      "x: one tile of tile reaches 1099511627776 elements far, at most 2147483647 are supported; pass a "
      "tensor that is shorter or lies denser");
}

TEST_CASE("a tile function that fails ends the call") {
  table t;
  const number n = t.symbol("n"), y = t.output("y", {n});
  t.step({{[](void **) { return -3; }, {{n, 0, 1}}, {written(y, 1, {axis(n, 0, 0)})}}});
  guarded out(4);
  check_refused(
      run(t.program(), {heed::view{out.data(), {4}}}), HEED_UNSUPPORTED,
      "kernel: tile returned -3, 0 is needed; rebuild the library with the compiler that came with this "
      "runtime");
}

TEST_CASE("a launch beyond the runtime's limits is refused") {
  table t;
  const number n = t.symbol("n"), y = t.output("y", {n});
  t.step({{increment, {}, std::vector<heed_operand>(40, written(y, 1, {axis(n, 0)}))}});
  guarded out(4);
  check_refused(
      run(t.program(), {heed::view{out.data(), {4}}}), HEED_UNSUPPORTED,
      "tile: it has 40 operands, 0 scalars and 0 grid axes, at most 32, 16 and 5 are supported; link the "
      "runtime that came with the compiler");
}
