//===- RegionScalars.h - Numbers that a region of elements reads -*- C++ -*-===//
///
/// \file
/// What the region of a map or an epilogue reads beside tensors: where the tile starts and how long axes are.
/// They are scalars of the tile function, positions first.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_REGIONSCALARS_H
#define HEED_CODEGEN_EMIT_HALIDE_REGIONSCALARS_H

#include "Dialect/Heed.h"

namespace heed {

struct RegionScalars {
  llvm::SmallVector<int64_t> positions; ///< axes of the result
  llvm::SmallVector<ir::ExtentAttr> extents;

  RegionScalars() = default;
  explicit RegionScalars(mlir::Block &region) {
    for (auto position : region.getOps<ir::PositionOp>())
      if (!llvm::is_contained(positions, position.getAxis()))
        positions.push_back(position.getAxis());
    for (auto value : region.getOps<ir::ExtentValueOp>())
      if (!llvm::is_contained(extents, value.getExtent()))
        extents.push_back(value.getExtent());
  }

  size_t size() const { return positions.size() + extents.size(); }
  size_t numberOf(int64_t axis) const { return llvm::find(positions, axis) - positions.begin(); }
  size_t numberOf(ir::ExtentAttr extent) const {
    return positions.size() + (llvm::find(extents, extent) - extents.begin());
  }
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_REGIONSCALARS_H
