/// Neighbouring grid axes become one where the strides of all operands allow it, and only there.

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace heed::test;

namespace {

/// y (b, n, 4) = x (b, n, 4) + 1 with tiles of 8 rows.
struct rows {
  rows(bool joins, std::vector<heed_scalar> scalars = {}, bool counts_tiles = false) {
    const number b = t.symbol("b"), n = t.symbol("n"), four = t(4);
    const number x = t.input("x", {b, n, four}), y = t.output("y", {b, n, four});
    const std::vector<heed_axis> axes = {axis(four, 2), axis(n, 1, 1), axis(b, 0, 0)};
    std::vector<heed_operand> operands = {operand(x, 2, axes), written(y, 2, axes)};
    if (counts_tiles)
      operands.insert(operands.begin(), operand(x, 0, {axis(n, -1, 1, true)}));
    heed_tile_function f = scalars.empty() && !counts_tiles ? increment : shifted;
    t.step({{f, {{b, joins, 1}, {n, 0, 8}}, operands, scalars}});
  }
  /// The same behind one further argument.
  static int shifted(void **args) { return increment(args + 1); }

  /// Number of tiles, after checking every element. `gap` elements lie between the batches of x.
  std::size_t tiles(std::int64_t b, std::int64_t n, std::int64_t gap = 0) {
    const std::int64_t stride = n * 4 + gap;
    auto in = counting(b * stride);
    guarded out(b * n * 4);
    logged.clear();
    run_ok(t.program(),
           {heed::view{in.data(), {b, n, 4}, {stride, 4, 1}}, heed::view{out.data(), {b, n, 4}}});
    int wrong = 0;
    for (std::int64_t i = 0; i < b * n * 4; ++i)
      wrong += out[i] != static_cast<float>(i / (n * 4) * stride + i % (n * 4)) + 1;
    CHECK(wrong == 0);
    return logged.tiles().size();
  }

  table t;
};

} // namespace

TEST_CASE("short rows of a batch share tiles") {
  CHECK(rows(true).tiles(6, 3) == 3); // 18 rows
  CHECK(rows(true).tiles(5, 8) == 5);
  CHECK(rows(true).tiles(3, 11) == 5); // 33 rows
  CHECK(rows(false).tiles(6, 3) == 6);
  CHECK(rows(false).tiles(3, 11) == 6);
}

TEST_CASE("single rows share tiles even with gaps between them") {
  CHECK(rows(true).tiles(20, 1) == 3);
  CHECK(rows(true).tiles(20, 1, 5) == 3);
  CHECK(rows(true).tiles(1, 20, 7) == 3);
}

TEST_CASE("gaps between batches of several rows keep them apart") { CHECK(rows(true).tiles(6, 3, 2) == 6); }

TEST_CASE("a tile start or a table by tile keeps axes apart") {
  CHECK(rows(true, {{HEED_TILE_START, 1}}).tiles(6, 3) == 6);
  CHECK(rows(true, {{HEED_TILE_START, 0}}).tiles(6, 3) == 6);
  CHECK(rows(true, {{HEED_EXTENT, 0}}).tiles(6, 3) == 3);
  CHECK(rows(true, {}, true).tiles(6, 3) == 6);
}

TEST_CASE("an operand of only one of the axes keeps them apart") {
  // y (b, n, 4) = x (b, n, 4) + bias, where bias is (b, 4), (n, 4) or (4).
  for (const int of : {0, 1, 2}) {
    table t;
    const number b = t.symbol("b"), n = t.symbol("n"), four = t(4);
    const number x = t.input("x", {b, n, four});
    const number bias = t.input("bias", of == 2 ? std::vector{four} : std::vector{of == 0 ? b : n, four});
    const number y = t.output("y", {b, n, four});
    const std::vector<heed_axis> axes = {axis(four, 2), axis(n, 1, 1), axis(b, 0, 0)};
    t.step(
        {{sum,
          {{b, 1, 1}, {n, 0, 8}},
          {operand(x, 2, axes),
           operand(bias, 2,
                   {axis(four, of == 2 ? 0 : 1), axis(n, of == 1 ? 0 : -1, 1), axis(b, of == 0 ? 0 : -1, 0)}),
           written(y, 2, axes)}}});
    for (const auto &[batches, length, joined] : {std::tuple{6, 3, of == 2}, {6, 1, of != 0}, {1, 3, true}}) {
      auto in = counting(batches * length * 4), added = counting(24);
      guarded out(batches * length * 4);
      logged.clear();
      const heed_view bias_view = of == 2
                                      ? heed_view(heed::view{added.data(), {4}})
                                      : heed_view(heed::view{added.data(), {of == 0 ? batches : length, 4}});
      run_ok(t.program(), {heed::view{in.data(), {batches, length, 4}}, bias_view,
                           heed::view{out.data(), {batches, length, 4}}});
      int wrong = 0;
      for (int i = 0; i < batches * length * 4; ++i) {
        const int row = of == 2 ? 0 : of == 0 ? i / (4 * length) : i / 4 % length;
        wrong += out[i] != in[static_cast<std::size_t>(i)] + static_cast<float>(row * 4 + i % 4);
      }
      INFO("operand " << of << " batches " << batches);
      CHECK(wrong == 0);
      CHECK(logged.tiles().size() == static_cast<std::size_t>(joined ? (batches * length + 7) / 8 : batches));
    }
  }
}

TEST_CASE("an operand that the tile function sees along neither axis keeps them apart when it moves") {
  // y (b, n, 4) = x (b, n, 4) + bias (b, 4), where a tile sees one row of bias.
  table t;
  const number b = t.symbol("b"), n = t.symbol("n"), four = t(4);
  const number x = t.input("x", {b, n, four}), bias = t.input("bias", {b, four}),
               y = t.output("y", {b, n, four});
  const std::vector<heed_axis> axes = {axis(four, 2), axis(n, 1, 1), axis(b, 0, 0)};
  t.step({{sum,
           {{b, 1, 1}, {n, 0, 8}},
           {operand(x, 2, axes), operand(bias, 1, {axis(four, 1), axis(b, 0, 0)}), written(y, 2, axes)}}});
  auto in = counting(24), added = counting(24);
  guarded out(24);
  run_ok(t.program(), {heed::view{in.data(), {6, 1, 4}}, heed::view{added.data(), {6, 4}},
                       heed::view{out.data(), {6, 1, 4}}});
  for (int i = 0; i < 24; ++i)
    CHECK(out[i] == 2 * in[static_cast<std::size_t>(i)]);
}

TEST_CASE("three axes join in a chain") {
  table t;
  const number a = t.symbol("a"), b = t.symbol("b"), n = t.symbol("n");
  const number x = t.input("x", {a, b, n, 0}), y = t.output("y", {a, b, n, 0});
  const std::vector<heed_axis> axes = {axis(0, 3), axis(n, 2, 2), axis(b, 1, 1), axis(a, 0, 0)};
  t.step({{increment, {{a, 1, 1}, {b, 1, 1}, {n, 0, 8}}, {operand(x, 2, axes), written(y, 2, axes)}}});
  auto in = counting(60);
  guarded out(60);
  logged.clear();
  run_ok(t.program(), {heed::view{in.data(), {4, 5, 3, 1}}, heed::view{out.data(), {4, 5, 3, 1}}});
  for (int i = 0; i < 60; ++i)
    CHECK(out[i] == in[static_cast<std::size_t>(i)] + 1);
  CHECK(logged.tiles().size() == 8);
}

TEST_CASE("the innermost axis keeps its unit stride") {
  // Elements of one row each, batches 4 apart: joined, the tile function would see a stride of 4.
  table t;
  const number b = t.symbol("b"), n = t.symbol("n");
  const number x = t.input("x", {b, n}), y = t.output("y", {b, n});
  const std::vector<heed_axis> axes = {axis(n, 1, 1), axis(b, 0, 0)};
  t.step({{increment, {{b, 1, 1}, {n, 0, 8}}, {operand(x, 1, axes), written(y, 1, axes)}}});
  const auto tiles = [&](std::int64_t length, std::int64_t stride) {
    auto in = counting(6 * stride);
    guarded out(6 * length);
    logged.clear();
    run_ok(t.program(), {heed::view{in.data(), {std::int64_t{6}, length}, {stride, std::int64_t{1}}},
                         heed::view{out.data(), {std::int64_t{6}, length}}});
    for (std::int64_t i = 0; i < 6 * length; ++i)
      CHECK(out[i] == static_cast<float>(i / length * stride + i % length) + 1);
    return logged.tiles().size();
  };
  CHECK(tiles(1, 4) == 6);
  CHECK(tiles(1, 1) == 1);
  CHECK(tiles(3, 3) == 3);
  CHECK(tiles(3, 4) == 6);
}

TEST_CASE("joining does not make a tile too wide for 32 bits") {
  table t;
  const number b = t.symbol("b"), n = t.symbol("n");
  const number x = t.input("x", {b, n, 0}), y = t.output("y", {b, n, 0});
  const std::vector<heed_axis> axes = {axis(0, 2), axis(n, 1, 1), axis(b, 0, 0)};
  t.step({{increment, {{b, 1, 1}, {n, 0, 8}}, {operand(x, 2, axes), written(y, 2, axes)}}});
  const std::int64_t stride = std::int64_t{1} << 31;
  float *const far = static_cast<float *>(std::calloc(static_cast<std::size_t>(stride + 1), sizeof(float)));
  if (!far) {
    WARN("no address space for 8 GiB");
    return;
  }
  far[0] = 1;
  far[stride] = 2;
  guarded out(2);
  logged.clear();
  run_ok(t.program(),
         {heed::view{far, {std::int64_t{2}, std::int64_t{1}, std::int64_t{1}}, {stride, stride, stride}},
          heed::view{out.data(), {2, 1, 1}}});
  CHECK(out[0] == 2);
  CHECK(out[1] == 3);
  CHECK(logged.tiles().size() == 2);
  std::free(far);
}
