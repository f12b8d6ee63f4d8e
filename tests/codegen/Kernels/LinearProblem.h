//===- LinearProblem.h - A linear layer, tile by tile -----------*- C++ -*-===//
#ifndef HEED_TESTS_KERNELS_LINEARPROBLEM_H
#define HEED_TESTS_KERNELS_LINEARPROBLEM_H

#include "PagedArray.h"
#include "TileRunner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace heed::kernels {

struct LinearProblem {
  int rows, inputs, columns;
  bool bias = false;
  int gap = 0; ///< elements between the rows of every matrix: NaN, and so they must stay
};

/// A matrix whose last row ends at a guard page.
template <class T> struct PagedMatrix {
  PagedMatrix(int rows, int columns, int gap)
      : rows(rows), columns(columns), stride(columns + gap),
        elements(rows > 0 ? size_t(rows - 1) * stride + columns : 0) {}

  T *row(int r) { return elements.data() + int64_t(r) * stride; }
  Operand tile(int r, int c, int height, int width) {
    return {row(r) + c, halide_type_of<T>(), {{width, 1}, {height, stride}}};
  }
  void fill(std::mt19937 &generator) {
    std::normal_distribution<float> normal;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        row(r)[c] = T(normal(generator));
  }
  bool untouchedAround() {
    bool untouched = elements.untouchedBefore();
    for (int r = 0; r + 1 < rows; ++r)
      untouched =
          untouched && std::all_of(row(r) + columns, row(r + 1), [](T x) { return std::isnan(double(x)); });
    return untouched;
  }

  int rows, columns, stride;
  PagedArray<T> elements;
};

/// Half a unit in the last place of what is stored in fewer bits than it is summed in, relative.
template <class T> constexpr double roundingOf() {
  return std::is_same_v<T, Halide::bfloat16_t> ? 0x1p-8 : std::is_same_v<T, Halide::float16_t> ? 0x1p-11 : 0;
}

template <class X, class W, class B, class Y> struct LinearArrays {
  PagedMatrix<X> x;
  PagedMatrix<W> w;
  PagedMatrix<B> b;
  PagedMatrix<Y> y;

  explicit LinearArrays(const LinearProblem &problem)
      : x(problem.rows, problem.inputs, problem.gap), w(problem.columns, problem.inputs, problem.gap),
        b(1, problem.columns, 0), y(problem.rows, problem.columns, problem.gap) {
    std::mt19937 generator(7);
    x.fill(generator);
    w.fill(generator);
    b.fill(generator);
  }

  /// Whether nothing around the output changed.
  bool run(const LoadedTile &tile, const LinearProblem &problem, int rowBlock, int columnBlock) {
    ScratchContext scratch;
    for (int row = 0; row < problem.rows; row += rowBlock)
      for (int column = 0; column < problem.columns; column += columnBlock) {
        const int height = std::min(rowBlock, problem.rows - row),
                  width = std::min(columnBlock, problem.columns - column);
        Operand tileX = x.tile(row, 0, height, problem.inputs),
                tileW = w.tile(column, 0, width, problem.inputs),
                tileB(b.row(0) + column, halide_type_of<B>(), {{width, 1}}),
                tileY = y.tile(row, column, height, width);
        std::vector<Operand *> operands = {&tileX, &tileW};
        if (problem.bias)
          operands.push_back(&tileB);
        operands.push_back(&tileY);
        tile(scratch, {}, operands);
      }
    return y.untouchedAround() && scratch.inOrder && scratch.current == 0;
  }
};

/// Largest difference to the naive evaluation over the sum of magnitudes, beyond what the rounding of the
/// output explains; infinity if the output's surroundings changed.
template <class X, class W = X, class B = X, class Y = X>
double linearError(const LoadedTile &tile, const LinearProblem &problem, int rowBlock, int columnBlock) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  LinearArrays<X, W, B, Y> arrays(problem);
  double worst = arrays.run(tile, problem, rowBlock, columnBlock) ? 0 : infinity;
  for (int row = 0; row < problem.rows; ++row)
    for (int column = 0; column < problem.columns; ++column) {
      double right = problem.bias ? double(arrays.b.row(0)[column]) : 0, magnitude = 1;
      for (int n = 0; n < problem.inputs; ++n) {
        const double product = double(arrays.x.row(row)[n]) * double(arrays.w.row(column)[n]);
        right += product;
        magnitude += std::abs(product);
      }
      const double rounding = roundingOf<Y>() * std::abs(right);
      const double difference = (std::abs(double(arrays.y.row(row)[column]) - right) - rounding) / magnitude;
      worst = difference <= worst ? worst : std::isnan(difference) ? infinity : difference;
    }
  return worst;
}

} // namespace heed::kernels

#endif // HEED_TESTS_KERNELS_LINEARPROBLEM_H
