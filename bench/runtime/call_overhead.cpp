/// \file
/// What a call costs beside its arithmetic: the sizes of the smallest cross-attention example, and tile
/// functions that do nothing. The programs have as many arguments, temporaries and launches as the compiler
/// makes of that spec.

#include <heed/runtime.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace {

int nothing(void **) { return 0; }

constexpr const char *symbols[] = {"batch", "queries", "keys"};

enum extent_number : std::uint16_t {
  one,
  batch,
  queries,
  keys,
  ten,
  eight,
  heads,
  depth,
  work,
  query_rows,
  key_rows
};
constexpr heed_extent extents[] = {
    {1, 1, 0, 0, {}},
    {1, 1, 0, 1, {{0, 1}}},
    {1, 1, 0, 1, {{1, 1}}},
    {1, 1, 0, 1, {{2, 1}}},
    {10, 1, 0, 0, {}},
    {8, 1, 0, 0, {}},
    {2, 1, 0, 0, {}},
    {4, 1, 0, 0, {}},
    {16, 1, 0, 3, {{0, 1}, {1, 1}, {2, 1}}},
    {1, 1, 0, 2, {{0, 1}, {1, 1}}},
    {1, 1, 0, 2, {{0, 1}, {2, 1}}},
};

constexpr heed_argument arguments[] = {
    {"x", HEED_INPUT, HEED_F32, 3, {batch, queries, ten}},
    {"context", HEED_INPUT, HEED_F32, 3, {batch, keys, ten}},
    {"mask", HEED_INPUT, HEED_B8, 4, {batch, heads, queries, keys}},
    {"w_query", HEED_WEIGHT, HEED_F32, 2, {eight, ten}},
    {"w_key", HEED_WEIGHT, HEED_F32, 2, {eight, ten}},
    {"w_value", HEED_WEIGHT, HEED_F32, 2, {eight, ten}},
    {"w_out", HEED_WEIGHT, HEED_F32, 2, {eight, eight}},
    {"b_out", HEED_WEIGHT, HEED_F32, 1, {eight}},
    {"y", HEED_OUTPUT, HEED_F32, 3, {batch, queries, eight}},
};
enum buffer_number : std::uint16_t {
  x,
  context,
  mask,
  w_query,
  w_key,
  w_value,
  w_out,
  b_out,
  y,
  q,
  k,
  v,
  attended
};
constexpr heed_temporary temporaries[] = {
    {HEED_F32, 3, {batch, queries, eight}, 0, 0, 0},
    {HEED_F32, 3, {batch, keys, eight}, 1, 0, 0},
    {HEED_F32, 3, {batch, keys, eight}, 2, 0, 0},
    {HEED_F32, 3, {batch, queries, eight}, 3, 0, 0},
};

/// (batch, rows, depth) with batch and rows on the grid.
constexpr heed_operand rows(std::uint16_t buffer, std::uint16_t length, std::uint16_t inner,
                            std::uint8_t is_output) {
  return {buffer, 2, 3, is_output, {{inner, one, 2, -1, 0}, {length, one, 1, 1, 0}, {batch, one, 0, 0, 0}}};
}
constexpr heed_operand matrix(std::uint16_t buffer, std::uint16_t outer, std::uint16_t inner) {
  return {buffer, 2, 2, 0, {{inner, one, 1, -1, 0}, {outer, one, 0, -1, 0}}};
}
/// (batch, length, heads · depth) as (batch, heads, length, depth); grid axis 2 runs along `length` or
/// nothing does.
constexpr heed_operand split(std::uint16_t buffer, std::uint16_t length, std::int8_t grid,
                             std::uint8_t is_output) {
  return {
      buffer,
      2,
      4,
      is_output,
      {{depth, one, 2, -1, 0}, {length, one, 1, grid, 0}, {heads, depth, 2, 1, 0}, {batch, one, 0, 0, 0}}};
}

constexpr heed_operand project_query[] = {rows(x, queries, ten, 0), matrix(w_query, eight, ten),
                                          rows(q, queries, eight, 1)};
constexpr heed_operand project_key_value[] = {rows(context, keys, ten, 0), matrix(w_key, eight, ten),
                                              matrix(w_value, eight, ten), rows(k, keys, eight, 1),
                                              rows(v, keys, eight, 1)};
constexpr heed_operand attend[] = {
    split(q, queries, 2, 0),
    split(k, keys, -1, 0),
    split(v, keys, -1, 0),
    {mask,
     2,
     4,
     0,
     {{keys, one, 3, -1, 0}, {queries, one, 2, 2, 0}, {heads, one, 1, 1, 0}, {batch, one, 0, 0, 0}}},
    split(attended, queries, 2, 1)};
constexpr heed_operand project_out[] = {rows(attended, queries, eight, 0),
                                        matrix(w_out, eight, eight),
                                        {b_out, 1, 1, 0, {{eight, one, 0, -1, 0}}},
                                        rows(y, queries, eight, 1)};

constexpr heed_launch launches[] = {
    {nothing, "project_query", 2, 0, 3, {{batch, 1, 1}, {queries, 0, 64}}, nullptr, project_query, work},
    {nothing, "project_key_value", 2, 0, 5, {{batch, 1, 1}, {keys, 0, 64}}, nullptr, project_key_value, work},
    {nothing, "attention", 3, 0, 5, {{batch, 0, 1}, {heads, 0, 1}, {queries, 0, 64}}, nullptr, attend, work},
    {nothing, "project_out", 2, 0, 4, {{batch, 1, 1}, {queries, 0, 64}}, nullptr, project_out, work},
};
constexpr heed_alternative alternatives[] = {{-1, 0, {}, 4, launches}};
constexpr heed_step steps[] = {{1, alternatives}};
constexpr heed_program program = {HEED_ABI_VERSION, "cross_attention", 3,         11,          9,    4, 4, 1,
                                  symbols,          extents,           arguments, temporaries, steps};

/// `batch` 1 has one tile in each launch but two in the attention; with 3 the rows are joined and heads make
/// 6 tiles.
void call_overhead(benchmark::State &state) {
  const std::int64_t b = state.range(0), queries = 5, keys = 7;
  std::vector<float> floats(1024 * static_cast<std::size_t>(b));
  std::vector<unsigned char> bits(static_cast<std::size_t>(b * 2 * queries * keys));
  float *next = floats.data();
  const auto take = [&](std::int64_t count) { return std::exchange(next, next + count); };
  const heed::view<const float, 3> x{take(b * queries * 10), {b, queries, 10}};
  const heed::view<const float, 3> context{take(b * keys * 10), {b, keys, 10}};
  const heed::view<const unsigned char, 4> mask{bits.data(), {b, 2, queries, keys}};
  const heed::view<const float, 2> w_query{take(80), {8, 10}}, w_key{take(80), {8, 10}},
      w_value{take(80), {8, 10}}, w_out{take(64), {8, 8}};
  const heed::view<const float, 1> b_out{take(8), {8}};
  const heed::view<float, 3> y{take(b * queries * 8), {b, queries, 8}};
  for (auto _ : state) {
    const heed_view views[] = {x, context, mask, w_query, w_key, w_value, w_out, b_out, y};
    const heed::status status = heed::call(program, views);
    if (!status)
      state.SkipWithError(status.message());
  }
}
BENCHMARK(call_overhead)->Arg(1)->Arg(3);

/// A launch large enough for two threads by its work, of tiles that do nothing: what a parallel launch costs.
void parallel_launch(benchmark::State &state) {
  static constexpr heed_extent extents[] = {{1, 1, 0, 0, {}}, {64, 1, 0, 0, {}}, {1 << 30, 1, 0, 0, {}}};
  static constexpr heed_argument arguments[] = {{"y", HEED_OUTPUT, HEED_F32, 1, {1}}};
  static constexpr heed_operand operands[] = {{0, 0, 1, 1, {{1, 0, 0, 0, 0}}}};
  static constexpr heed_launch launches[] = {
      {nothing, "nothing", 1, 0, 1, {{1, 0, 1}}, nullptr, operands, 2}};
  static constexpr heed_alternative alternatives[] = {{-1, 0, {}, 1, launches}};
  static constexpr heed_step steps[] = {{1, alternatives}};
  static constexpr heed_program program = {HEED_ABI_VERSION, "parallel", 0,         3,       1,    0, 0, 1,
                                           nullptr,          extents,    arguments, nullptr, steps};
  float elements[64];
  const heed::view<float, 1> y{elements, {64}};
  const heed::options options{.threads = static_cast<std::int32_t>(state.range(0))};
  for (auto _ : state) {
    const heed_view views[] = {y};
    const heed::status status = heed::call(program, views, options);
    if (!status)
      state.SkipWithError(status.message());
  }
}
BENCHMARK(parallel_launch)->Arg(1)->Arg(2)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
