//===- Intervals.h - Integers of a region, linearly -------------*- C++ -*-===//
///
/// \file
/// An integer of an attention's region as number + Σ coefficient · term, and its bounds over a block of
/// queries.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_INTERVALS_H
#define HEED_TRANSFORMS_INTERVALS_H

#include "Transforms/KeyExpr.h"
#include "llvm/ADT/SmallVector.h"

namespace heed {

/// A term is a position (b, h, q, k), an extent, or a value that is not linear.
struct Linear {
  struct Term {
    mlir::Value value;     ///< null for an extent
    ir::ExtentAttr extent; ///< null for a value
    int64_t coefficient;
  };
  int64_t number = 0;
  llvm::SmallVector<Term, 4> terms;

  static Linear of(mlir::Value value);

  void add(const Term &term);
  Linear plus(const Linear &other, int64_t factor) const;
  /// Without the term of a value; its coefficient, 0 if there is none.
  int64_t remove(mlir::Value value);
};

enum class Bound { Lower, Upper };

/// A bound of the value over all positions of a block: q in [q0, q1], b and h in their extents. Nothing if a
/// term is not understood, or depends on the key.
std::optional<KeyExpr> boundOf(const Linear &linear, Bound bound, ir::AttentionOp attention);

/// Whether a value of the region depends on the key's position.
bool dependsOnKey(mlir::Value value, ir::AttentionOp attention);

} // namespace heed

#endif // HEED_TRANSFORMS_INTERVALS_H
