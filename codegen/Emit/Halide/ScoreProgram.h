//===- ScoreProgram.h - An attention's regions for its kernel ---*- C++ -*-===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H
#define HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H

#include "Captures.h"
#include "Kernels/Attention.h"
#include "Region.h"
#include "Transforms/MaskRanges.h"

namespace heed {

/// The regions of a heed.attention or heed.scores as functions that build expressions, with the key ranges
/// that follow from them.
class ScoreProgram {
public:
  /// Refers to the regions and to `captures`. `weighing` may be empty; without `ranges`, every key is looked
  /// at.
  ScoreProgram(mlir::Block &body, mlir::Region &weighing, std::optional<MaskRanges> ranges,
               const Captures &captures);

  /// What a kernel is built with; refers to this object. With `zeroProbability`, an argument of the weighing
  /// region that is known to hold 0. With `rowsAreHeads`, the rows of a tile are heads at one query.
  kernels::ScoreProgram functions(mlir::Value zeroProbability = {}, bool rowsAreHeads = false) const;

  /// Whether a table or a key range is another one for every head, so that a tile must have one head.
  bool indexesByHead() const;

  /// Only which keys are visible, for lists of them. `reads` are numbers of captures: those that it has.
  kernels::ScoreProgram visibility(llvm::ArrayRef<unsigned> reads) const;

  /// The captures on which the visibility of a key depends.
  llvm::SmallVector<unsigned> visibilityReads() const;
  /// Whether it depends on a position: an argument of the regions.
  bool visibilityUses(unsigned argument) const;

  /// The extents that the functions read, in the order of the tile function's scalars.
  llvm::ArrayRef<ir::ExtentAttr> readExtents() const { return extents; }

  /// Whether lists of visible keys say more than the key ranges: these are not exact, and the mask can be
  /// told without the scores.
  bool needsKeyLists() const;

  /// Equal text, equal functions.
  std::string text() const;

private:
  RegionInputs inputs(mlir::Block &region, const Halide::Expr &first, const kernels::ScorePosition &at,
                      const kernels::ElementAt &element, const std::vector<Halide::Expr> &extentValues) const;
  kernels::ScoreAndVisible apply(const Halide::Expr &score, const kernels::ScorePosition &at,
                                 const kernels::ElementAt &element,
                                 const std::vector<Halide::Expr> &extentValues) const;
  bool hidesKeys() const;
  void addRanges(kernels::ScoreProgram &program, std::function<size_t(size_t)> numberOf) const;

  mlir::Block &body;
  mlir::Block *weighing; ///< null where weights stay
  const Captures &captures;
  std::optional<MaskRanges> ranges;
  std::vector<kernels::Capture> operands; ///< the captures as tile functions see them
  llvm::SmallVector<ir::ExtentAttr> extents;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H
