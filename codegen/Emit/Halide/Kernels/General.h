//===- General.h - Tile functions of the general path -----------*- C++ -*-===//
//
// What a block falls back to where no fused operation fits: right for every size and stride, decently
// vectorized. No scalars, except for a map that asks for them. Operands, innermost axis first; any axis of an
// input may have any stride, also 0:
//
//   buildMatmul a(k, rows) b(columns, k) -> y(columns, rows)
//               Grid: columns (columnBlock), rows (rowBlock), batches.
//   buildMap    operands, all of rank `rank` (1…4) -> y, same rank
//               Grid: axis 0 (innerBlock), axis 1 (outerBlock), others.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_GENERAL_H
#define HEED_CODEGEN_KERNELS_GENERAL_H

#include "Schedule/Schedule.h"
#include "TileFunction.h"

#include <functional>

namespace heed::kernels {

/// Of each operand as stored. f64 goes with f64 alone.
struct MatmulTypes {
  Halide::Type left = Halide::Float(32), right = Halide::Float(32), result = Halide::Float(32);

  static MatmulTypes all(const Halide::Type &type) { return {type, type, type}; }
};

struct MatmulKernel {
  std::string name;
  MatmulTypes types;
};

/// An element of an operand as stored. `indices` are those of a table, innermost first, int32 or int64, of
/// any value: they are clamped into its axes; none for an operand that is read at the index.
using OperandAt = std::function<Halide::Expr(size_t operand, const std::vector<Halide::Expr> &indices)>;

struct MapKernel {
  std::string name;
  int rank = 1;
  std::vector<Halide::Type> operands; ///< element types
  Halide::Type result = Halide::Float(32);
  std::vector<int>
      tables; ///< per operand: axes of a table, which `apply` indexes itself; -1: read at the index
  /// `within` is the index inside the tile, innermost first.
  std::function<Halide::Expr(const OperandAt &element, const std::vector<Halide::Expr> &within,
                             const std::vector<Halide::Expr> &scalars)>
      apply;
  int scalars = 0; ///< int32 arguments in front of the operands
};

TileFunction buildMatmul(const MatmulKernel &kernel, const MatmulSchedule &schedule, const CpuTarget &target);
TileFunction buildMap(const MapKernel &kernel, const MapSchedule &schedule, const CpuTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_GENERAL_H
