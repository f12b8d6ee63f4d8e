//===- Visibility.h - Hidden keys -------------------------------*- C++ -*-===//
///
/// \file
/// Separates a score that may be −infinity, or a weight that may be 0, into a score and whether the key is
/// visible. A kernel then hides a key by a select and needs no arithmetic on infinities, and the mask
/// analysis reads the condition directly.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_VISIBILITY_H
#define HEED_TRANSFORMS_VISIBILITY_H

#include "mlir/IR/Builders.h"

namespace heed {

/// What a hidden key has: a score of −infinity, or a weight of 0 where no softmax makes one of it.
enum class HiddenAs { MinusInfinity, Zero };

struct VisibleScore {
  mlir::Value score;
  mlir::Value visible; ///< i1; null: always
};

/// Follows selects, sums, products and functions that turn −infinity into 0 (exp, the logistic function, the
/// maximum with 0) back to constants. Where it can't follow, the score stays as it is, which is right as
/// well: a score of −infinity has weight 0.
VisibleScore splitVisibility(mlir::OpBuilder &builder, mlir::Value score, HiddenAs as);

} // namespace heed

#endif // HEED_TRANSFORMS_VISIBILITY_H
