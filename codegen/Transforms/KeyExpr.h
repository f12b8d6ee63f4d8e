//===- KeyExpr.h - Bounds on keys -------------------------------*- C++ -*-===//
///
/// \file
/// Small integer expressions over a block of queries [q0, q1] and symbolic extents: what a bound on the keys
/// is made of. Plain values, so that any back end can turn them into its own expressions.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_KEYEXPR_H
#define HEED_TRANSFORMS_KEYEXPR_H

#include "Dialect/Heed.h"

#include <optional>
#include <vector>

namespace heed {

/// A tree of sums, floor divisions, minima and maxima. Build it with the functions below: they simplify.
struct KeyExpr {
  enum class Kind {
    FirstQuery,  ///< q0, the first query of the block
    LastQuery,   ///< q1, the last one, inclusive
    Extent,      ///< `extent`
    Element,     ///< `element`, an integer of a capture, taken as clamped to ±elementLimit
    Sum,         ///< number + Σ coefficients[i] · operands[i]; without operands: a number
    FloorDivide, ///< operands[0] divided by `number` > 0, rounded towards minus infinity
    Minimum,     ///< of operands[0] and operands[1]
    Maximum,
  };

  /// Whoever evaluates an expression may do so in 32 bits if it clamps elements to this size: `isFaithful`
  /// tells that no more is needed.
  static constexpr int64_t elementLimit = int64_t(1) << 30;
  /// Positions, extents and keys are below.
  static constexpr int64_t positionLimit = int64_t(1) << 28;

  Kind kind = Kind::Sum;
  int64_t number = 0;
  ir::ExtentAttr extent = {};
  /// Result of a heed.element whose indices are b, h or 0: a tile reads it at its own b and h.
  mlir::Value element = {};
  std::vector<int64_t> coefficients = {};
  std::vector<KeyExpr> operands = {};

  static KeyExpr constant(int64_t number);
  static KeyExpr firstQuery();
  static KeyExpr lastQuery();
  static KeyExpr of(ir::ExtentAttr extent);
  static KeyExpr of(mlir::Value element);
  static KeyExpr floorDivide(KeyExpr dividend, int64_t divisor);
  static KeyExpr minimum(KeyExpr left, KeyExpr right);
  static KeyExpr maximum(KeyExpr left, KeyExpr right);
  /// As the end of a range: every key is before it where the number is positive, else none.
  static KeyExpr allIfPositive(KeyExpr number);

  std::optional<int64_t> asConstant() const;
  /// Whether, as a bound on keys, the expression says the same when elements are clamped and sums are 32
  /// bits.
  bool isFaithful() const;
  /// `max(0, q0 - 255)`.
  std::string str() const;

  friend KeyExpr operator+(KeyExpr left, const KeyExpr &right);
  friend KeyExpr operator*(int64_t factor, KeyExpr expr);
  friend KeyExpr operator-(KeyExpr left, const KeyExpr &right) { return std::move(left) + -1 * right; }
  friend bool operator==(const KeyExpr &, const KeyExpr &) = default;
};

KeyExpr operator+(KeyExpr left, const KeyExpr &right);
KeyExpr operator*(int64_t factor, KeyExpr expr);

} // namespace heed

#endif // HEED_TRANSFORMS_KEYEXPR_H
