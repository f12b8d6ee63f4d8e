//===- DeviceProduct.h - Products of matrices on devices --------*- C++ -*-===//
//
// What linear layers, score matrices and general products have in common on a device: sums over the depth of
// left(depth, row) · right(depth, column). A block of threads sums a tile of rows and columns. Chunks of the
// depth of both factors are staged in shared memory; every thread keeps its part of the tile in registers
// until all is summed, then stores what becomes of it.
//
// A thread's rows and columns are threadsY and threadsX apart, so that neighbouring threads store
// neighbouring columns, and read shared memory without conflicts.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEPRODUCT_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEPRODUCT_H

#include "DeviceFunction.h"
#include "Schedule/Schedule.h"

#include <functional>
#include <optional>

namespace heed::kernels {

/// One of the two matrices.
struct DeviceFactor {
  /// The element in the accumulator's type, for indices that it has.
  std::function<Halide::Expr(const Halide::Expr &depth, const Halide::Expr &line, const GridIndices &tile)>
      element;
  Halide::Expr lines;     ///< rows of the left one, columns of the right one
  bool alongDepth = true; ///< neighbouring threads stage neighbours along the depth, else along lines
};

/// What becomes of the sums.
struct DeviceResult {
  Halide::Type type;
  int kernelRank = 2;
  /// Indices of the kernel axes, innermost first.
  std::function<std::vector<Halide::Expr>(const Halide::Expr &column, const Halide::Expr &row)> place;
  std::function<Halide::Expr(const Halide::Expr &sum, const Halide::Expr &column, const Halide::Expr &row,
                             const GridIndices &tile)>
      value;
};

struct DeviceProduct {
  Halide::Func output; ///< scheduled
  RegisterArray sums;
};

/// `depth` with its number where it is known; `walked` says of every grid axis whether the kernel has tiles
/// along it: it cuts rows or columns otherwise.
struct DeviceProductShape {
  Halide::Type accumulator;
  Halide::Expr depth;
  std::optional<int64_t> knownDepth;
  std::vector<bool> walked;
};

DeviceProduct multiply(const DeviceProductShape &shape, const DeviceFactor &left, const DeviceFactor &right,
                       const DeviceResult &result, const DeviceTile &tile, const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEPRODUCT_H
