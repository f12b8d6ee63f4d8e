//===- General.h - Tile functions of the general path -----------*- C++ -*-===//
//
// What a block falls back to where no fused operation fits: right for every size and stride, decently
// vectorized. No scalars, except for a map that asks for them. Operands, innermost axis first; any axis of an
// input may have any stride, also 0:
//
//   buildMatmul    a(k, rows) b(columns, k) -> y(columns, rows)
//                  Grid: columns (columnBlock), rows (rowBlock), batches.
//   buildSoftmax   x(n, rows) -> y(n, rows)
//                  Grid: rows (rowBlock), batches.
//   buildMap       operands, all of rank `rank` (1…4) -> y, same rank
//                  Grid: axis 0 (innerBlock), axis 1 (outerBlock), others.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_GENERAL_H
#define HEED_CODEGEN_KERNELS_GENERAL_H

#include "Schedule/Schedule.h"
#include "TileFunction.h"

#include <functional>

namespace heed::kernels {

struct MatmulKernel {
  std::string name;
  Halide::Type element = Halide::Float(32);
};

/// A row whose entries are all -infinity gives zeros.
struct SoftmaxKernel {
  std::string name;
  Halide::Type element = Halide::Float(32);
};

struct MapKernel {
  std::string name;
  int rank = 1;
  std::vector<Halide::Type> operands; ///< element types
  Halide::Type result = Halide::Float(32);
  std::function<Halide::Expr(const std::vector<Halide::Expr> &elements)> apply;

  /// In the place of `apply` where the index matters: `within` is the index inside the tile, innermost first.
  std::function<Halide::Expr(const std::vector<Halide::Expr> &elements,
                             const std::vector<Halide::Expr> &within,
                             const std::vector<Halide::Expr> &scalars)>
      applyAt;
  int scalars = 0; ///< int32 arguments in front of the operands, for `applyAt`
};

TileFunction buildMatmul(const MatmulKernel &kernel, const MatmulSchedule &schedule, const CpuTarget &target);
TileFunction buildSoftmax(const SoftmaxKernel &kernel, const SoftmaxSchedule &schedule,
                          const CpuTarget &target);
TileFunction buildMap(const MapKernel &kernel, const MapSchedule &schedule, const CpuTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_GENERAL_H
