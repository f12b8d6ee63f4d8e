//===- ScoreProgram.h - An attention's region for its kernel ----*- C++ -*-===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H
#define HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H

#include "Captures.h"
#include "Kernels/Attention.h"
#include "Transforms/MaskRanges.h"

namespace heed {

/// The region as functions that build expressions, with the key ranges that follow from it.
class ScoreProgram {
public:
  /// Refers to the operation's region and to `captures`.
  ScoreProgram(ir::AttentionOp op, const Captures &captures);

  /// What a kernel is built with; refers to this object.
  kernels::ScoreProgram functions() const;

  /// The extents that the functions read, in the order of the tile function's scalars.
  llvm::ArrayRef<ir::ExtentAttr> readExtents() const { return extents; }

  /// Equal text, equal functions.
  std::string text() const;

private:
  kernels::ScoreAndVisible apply(const Halide::Expr &score, llvm::ArrayRef<Halide::Expr> positions,
                                 const std::vector<Halide::Expr> &elements,
                                 const std::vector<Halide::Expr> &extentValues) const;

  mlir::Block &region;
  const Captures &captures;
  MaskRanges ranges;
  std::vector<kernels::Capture> operands; ///< the captures as tile functions see them
  llvm::SmallVector<ir::ExtentAttr> extents;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H
