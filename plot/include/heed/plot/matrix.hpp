/// Numbers in rows and columns, and the ways from attention weights to them.
#ifndef HEED_PLOT_MATRIX_HPP
#define HEED_PLOT_MATRIX_HPP

#include "heed/plot/error.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heed::plot {

/// Row 0 is drawn at the top. NaN stands for a cell without a value.
struct matrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> values; ///< row-major
};

/// The smallest value becomes 0, the largest 1; what isn't finite becomes NaN.
matrix normalized(matrix m);

/// weights: (heads, targets, sources) of one batch entry.
template <typename T>
matrix one_head(std::span<const T> weights, std::int64_t head, std::int64_t rows, std::int64_t columns) {
  std::span<const T> cells = weights.subspan(head * rows * columns, rows * columns);
  return {rows, columns, {cells.begin(), cells.end()}};
}

/// The mean over the heads of `weights`: (heads, targets, sources) of one batch entry.
template <typename T>
matrix mean_over_heads(std::span<const T> weights, std::int64_t heads, std::int64_t rows,
                       std::int64_t columns) {
  if (heads <= 0 || static_cast<std::int64_t>(weights.size()) != heads * rows * columns)
    throw error("weights: there are " + std::to_string(weights.size()) +
                " numbers, heads × targets × sources = " + std::to_string(heads) + " × " +
                std::to_string(rows) + " × " + std::to_string(columns) + " are needed");
  matrix mean{rows, columns, std::vector<double>(rows * columns, 0.0)};
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(weights.size()); ++i)
    mean.values[i % (rows * columns)] += static_cast<double>(weights[i]) / static_cast<double>(heads);
  return mean;
}

} // namespace heed::plot

#endif
