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
/// They may involve integers of captures that the batch entry and the head choose, such as lengths. Whatever
/// is not understood (a mask tensor, a look-up at q or k) restricts nothing: the ranges are conservative.
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
  /// Gaps shorter than this are none: no tile of keys is empty for them.
  static constexpr int64_t shortestGap = 64;

  KeyRange visible; ///< holds every key that some query of the block sees; within [0, keys)
  KeyRange full;    ///< every key in it is seen by all queries of the block; within [0, keys)
  /// Whether `visible` is as good as the mask itself. For one query, the keys that it sees begin and end
  /// there and have no gap of `shortestGap` keys or more between. For a block, every bound of the mask is the
  /// outermost of its queries', each bound by itself. False where a condition is not understood, where two
  /// ranges may lie apart, or where a bound is one for all batch entries or heads though they differ: then
  /// the keys of a tile that are visible may be fewer by whole tiles, which only the mask's values tell.
  bool exact = true;
};

MaskRanges deriveMaskRanges(ir::AttentionOp attention);
MaskRanges deriveMaskRanges(ir::ScoresOp scores);

/// Writes the ranges beside each attention as the attributes `heed.visible_keys` (`some of …` where they are
/// not exact) and `heed.full_keys`, for readers.
std::unique_ptr<mlir::Pass> createAnnotateMaskRangesPass();

} // namespace heed

#endif // HEED_TRANSFORMS_MASKRANGES_H
