//===- LinearProblem.h - A linear layer, tile by tile -----------*- C++ -*-===//
#ifndef HEED_TESTS_KERNELS_LINEARPROBLEM_H
#define HEED_TESTS_KERNELS_LINEARPROBLEM_H

#include "PagedArray.h"
#include "TileRunner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

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
        row(r)[c] = normal(generator);
  }
  bool untouchedAround() {
    bool untouched = elements.untouchedBefore();
    for (int r = 0; r + 1 < rows; ++r)
      untouched = untouched && std::all_of(row(r) + columns, row(r + 1), [](T x) { return std::isnan(x); });
    return untouched;
  }

  int rows, columns, stride;
  PagedArray<T> elements;
};

/// Largest difference to the naive evaluation over the sum of magnitudes; infinity if the output's
/// surroundings changed.
template <class T>
double linearError(const LoadedTile &tile, const LinearProblem &problem, int rowBlock, int columnBlock) {
  const auto [rows, inputs, columns, bias, gap] = problem;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  PagedMatrix<T> x(rows, inputs, gap), w(columns, inputs, gap), b(1, columns, 0), y(rows, columns, gap);
  std::mt19937 generator(7);
  for (PagedMatrix<T> *matrix : {&x, &w, &b})
    matrix->fill(generator);
  ScratchContext scratch;
  for (int row = 0; row < rows; row += rowBlock)
    for (int column = 0; column < columns; column += columnBlock) {
      const int height = std::min(rowBlock, rows - row), width = std::min(columnBlock, columns - column);
      Operand tileX = x.tile(row, 0, height, inputs), tileW = w.tile(column, 0, width, inputs),
              tileB(b.row(0) + column, halide_type_of<T>(), {{width, 1}}),
              tileY = y.tile(row, column, height, width);
      std::vector<Operand *> operands = {&tileX, &tileW};
      if (bias)
        operands.push_back(&tileB);
      operands.push_back(&tileY);
      tile(scratch, {}, operands);
    }
  double worst = y.untouchedAround() && scratch.inOrder && scratch.current == 0 ? 0 : infinity;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      double right = bias ? b.row(0)[column] : 0, magnitude = 1;
      for (int n = 0; n < inputs; ++n) {
        const double product = double(x.row(row)[n]) * w.row(column)[n];
        right += product;
        magnitude += std::abs(product);
      }
      const double difference = std::abs(y.row(row)[column] - right) / magnitude;
      worst = difference <= worst ? worst : std::isnan(difference) ? infinity : difference;
    }
  return worst;
}

} // namespace heed::kernels

#endif // HEED_TESTS_KERNELS_LINEARPROBLEM_H
