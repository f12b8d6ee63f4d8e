//===- MaskRanges.h - The keys that a block of queries sees -----*- C++ -*-===//
///
/// \file
/// From the region of an attention, the keys that a block of queries [q0, q1] can see. A kernel that visits
/// only these skips the tiles that a mask empties: half of them for a causal mask, nearly all for a window.
/// It is an analysis and not a rewrite: it changes nothing, runs after the fusion that puts every mask into
/// the region, and the emitter asks it when it needs loop bounds. Valid for symbolic lengths, since bounds
/// are expressions.
///
/// Comparisons that are linear in q and k (also through minimum, maximum, absolute value and division by a
/// number) are solved for k, and, or and not become intersections, hulls and complements of half-open ranges.
/// Whatever is not understood (a mask tensor, a look-up) restricts nothing: the ranges are conservative.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_MASKRANGES_H
#define HEED_TRANSFORMS_MASKRANGES_H

#include "Transforms/KeyExpr.h"
#include "mlir/Pass/Pass.h"

namespace heed {

/// Keys lower <= k < upper; empty when upper <= lower.
struct KeyRange {
  KeyExpr lower, upper;
  std::string str() const; ///< `[0, min(keys, q1 + 1))`
};

struct MaskRanges {
  KeyRange visible; ///< holds every key that some query of the block sees; within [0, keys)
  KeyRange full;    ///< every key in it is seen by all queries of the block; within [0, keys)
  /// Whether `visible` holds nothing but keys that the block sees, up to the hull of its rows. False where a
  /// condition is not understood, or where the visible keys may have gaps.
  bool exact = true;
};

MaskRanges deriveMaskRanges(ir::AttentionOp attention);

/// Writes the ranges beside each attention as the attributes `heed.visible_keys` and `heed.full_keys`, for
/// readers.
std::unique_ptr<mlir::Pass> createAnnotateMaskRangesPass();

} // namespace heed

#endif // HEED_TRANSFORMS_MASKRANGES_H
