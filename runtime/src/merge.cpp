/// Merging two attentions is a program like those that are generated, of one tile function.

#include "heed/merge.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace heed::runtime {
namespace {

template <class T> struct matrix {
  explicit matrix(const heed_buffer &buffer)
      : data(reinterpret_cast<T *>(buffer.host)), columns(buffer.dim[0].extent),
        row_stride(buffer.dimensions > 1 ? buffer.dim[1].stride : buffer.dim[0].stride) {}
  T *row(std::int64_t i) const noexcept { return data + i * row_stride; }

  T *data;
  std::int32_t columns; ///< rows, for a vector
  std::int64_t row_stride;
};

/// A part's share of its row; one that saw no key has none.
template <class T> T weight(T log_sum_exp, T largest) noexcept {
  return log_sum_exp == -std::numeric_limits<T>::infinity() ? 0 : std::exp(log_sum_exp - largest);
}

template <class T>
void merge_row(const T *first, T w1, const T *second, T w2, T *merged, int columns) noexcept {
  // Select, so that nothing comes from a part without a key.
  for (int i = 0; i < columns; ++i)
    merged[i] = (w1 == 0 ? 0 : w1 * first[i]) + (w2 == 0 ? 0 : w2 * second[i]);
}

/// first(width, rows) first_lse(rows) second second_lse -> merged merged_lse
template <class T> int merge_tile(void **args) {
  const auto operand = [&](int i) { return matrix<T>(*static_cast<heed_buffer *>(args[1 + i])); };
  const matrix<T> first = operand(0), first_lse = operand(1), second = operand(2), second_lse = operand(3),
                  merged = operand(4), merged_lse = operand(5);
  for (std::int64_t i = 0; i < merged_lse.columns; ++i) {
    const T l1 = *first_lse.row(i), l2 = *second_lse.row(i), largest = l1 > l2 ? l1 : l2;
    const T w1 = weight(l1, largest), w2 = weight(l2, largest), sum = w1 + w2;
    const T scale = sum == 0 ? 0 : 1 / sum;
    merge_row(first.row(i), w1 * scale, second.row(i), w2 * scale, merged.row(i), merged.columns);
    *merged_lse.row(i) = sum == 0 ? -std::numeric_limits<T>::infinity() : largest + std::log(sum);
  }
  return 0;
}

constexpr const char *symbols[] = {"batch", "heads", "queries", "width"};

enum extent_number : std::uint16_t { one, batch, heads, queries, width, work };
constexpr heed_extent extents[] = {
    {1, 1, 0, 0, {}},       {1, 1, 0, 1, {{0, 1}}}, {1, 1, 0, 1, {{1, 1}}},
    {1, 1, 0, 1, {{2, 1}}}, {1, 1, 0, 1, {{3, 1}}}, {4, 1, 0, 4, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}},
};

constexpr heed_argument argument(const char *name, heed_role role, heed_dtype dtype, std::uint8_t rank) {
  return {name,
          static_cast<std::uint8_t>(role),
          static_cast<std::uint8_t>(dtype),
          rank,
          {batch, heads, queries, width}};
}

constexpr heed_operand output(std::uint16_t argument, std::uint8_t is_output) {
  return {argument,
          2,
          4,
          is_output,
          {{width, one, 3, -1, 0}, {queries, one, 2, 2, 0}, {heads, one, 1, 1, 0}, {batch, one, 0, 0, 0}},
          0,
          {}};
}
constexpr heed_operand log_sum_exp(std::uint16_t argument, std::uint8_t is_output) {
  return {argument, 1, 3, is_output, {{queries, one, 2, 2, 0}, {heads, one, 1, 1, 0}, {batch, one, 0, 0, 0}},
          0,        {}};
}
constexpr heed_operand operands[] = {output(0, 0),      log_sum_exp(1, 0), output(2, 0),
                                     log_sum_exp(3, 0), output(4, 1),      log_sum_exp(5, 1)};

/// Rows of a tile.
constexpr std::int32_t row_block = 64;

template <class T, heed_dtype dtype> struct merging {
  static constexpr heed_argument arguments[] = {
      argument("first", HEED_INPUT, dtype, 4),   argument("first_lse", HEED_INPUT, dtype, 3),
      argument("second", HEED_INPUT, dtype, 4),  argument("second_lse", HEED_INPUT, dtype, 3),
      argument("merged", HEED_OUTPUT, dtype, 4), argument("merged_lse", HEED_OUTPUT, dtype, 3)};
  static constexpr heed_launch launches[] = {{merge_tile<T>,
                                              "merge",
                                              3,
                                              0,
                                              6,
                                              {{batch, 1, 1}, {heads, 1, 1}, {queries, 0, row_block}},
                                              nullptr,
                                              operands,
                                              work}};
  static constexpr heed_alternative alternatives[] = {{-1, 0, {}, 1, launches}};
  static constexpr heed_step steps[] = {{1, alternatives}};
  static constexpr heed_program program = {
      HEED_ABI_VERSION, "merge",         4,         6,       6,     0, 0,       1,
      symbols,          extents,         arguments, nullptr, steps, 0, nullptr, HEED_CPU_ANY,
      nullptr,          HEED_DEVICE_NONE};
};

} // namespace
} // namespace heed::runtime

int32_t heed_merge(heed_view first, heed_view first_lse, heed_view second, heed_view second_lse,
                   heed_view merged, heed_view merged_lse, const heed_options *options, heed_status *status) {
  using namespace heed::runtime;
  const heed_view views[] = {first, first_lse, second, second_lse, merged, merged_lse};
  const heed_program &program =
      first.dtype == HEED_F64 ? merging<double, HEED_F64>::program : merging<float, HEED_F32>::program;
  return heed_call(&program, views, options, status);
}
