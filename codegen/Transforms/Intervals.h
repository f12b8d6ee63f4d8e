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
  bool isHuge = false; ///< a number has left the range in which sums and products are safe: nothing is known

  static Linear of(mlir::Value value);

  void add(const Term &term);
  Linear plus(const Linear &other, int64_t factor) const;
  /// Without the term of a value; its coefficient, 0 if there is none.
  int64_t remove(mlir::Value value);

private:
  int64_t checked(int64_t value);
};

enum class Bound { Lower, Upper };

/// Bounds of integers over all positions of a block: q in [q0, q1], b and h in their extents.
class Bounds {
public:
  /// `body` is the region of an attention or its scores, `shape` that of the scores.
  Bounds(mlir::Block &body, llvm::ArrayRef<ir::ExtentAttr> shape) : body(body), shape(shape) {}

  /// Nothing if a term is not understood, or depends on the key.
  std::optional<KeyExpr> of(const Linear &linear, Bound bound);
  /// Whether every bound so far is the value itself where the block is one query, and is taken on by its
  /// first or last query otherwise.
  bool isExact() const { return exact; }

  /// Whether a value of the region depends on one of its arguments, such as the key's position.
  bool dependsOn(mlir::Value value, unsigned argument) const;

private:
  std::optional<KeyExpr> ofTerm(mlir::Value value, Bound bound);
  KeyExpr ofLeading(int64_t axis, Bound bound);
  std::optional<KeyExpr> ofElement(ir::ElementOp element);

  mlir::Block &body;
  llvm::ArrayRef<ir::ExtentAttr> shape;
  bool exact = true;
};

} // namespace heed

#endif // HEED_TRANSFORMS_INTERVALS_H
