//===- Visibility.h - Scores of −infinity as hidden keys --------*- C++ -*-===//
///
/// \file
/// Separates a score that may be −infinity into a finite score and whether the key is visible. A kernel then
/// hides a key by a select and needs no arithmetic on infinities, and the mask analysis reads the condition
/// directly.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_VISIBILITY_H
#define HEED_TRANSFORMS_VISIBILITY_H

#include "mlir/IR/Builders.h"

namespace heed {

struct VisibleScore {
  mlir::Value score;
  mlir::Value visible; ///< i1; null: always
};

/// Follows selects, sums, and positive factors back to constants of −infinity. Where it can't follow, the
/// score stays as it is, which is right as well: −infinity has weight zero.
VisibleScore splitVisibility(mlir::OpBuilder &builder, mlir::Value score);

} // namespace heed

#endif // HEED_TRANSFORMS_VISIBILITY_H
