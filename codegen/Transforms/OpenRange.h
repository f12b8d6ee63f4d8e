//===- OpenRange.h - Ranges of keys under construction ----------*- C++ -*-===//
///
/// \file
/// What the conditions of a mask become before they are clamped into the keys that there are.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_OPENRANGE_H
#define HEED_TRANSFORMS_OPENRANGE_H

#include "Transforms/KeyExpr.h"

namespace heed {

/// Keys lower <= k < upper; a missing bound is infinite.
struct OpenRange {
  bool isEmpty = false;
  std::optional<KeyExpr> lower, upper;

  static OpenRange everything() { return {}; }
  static OpenRange nothing() { return {.isEmpty = true, .lower = {}, .upper = {}}; }
};

OpenRange intersection(const OpenRange &a, const OpenRange &b);

/// The smallest range that holds both.
OpenRange hull(const OpenRange &a, const OpenRange &b);

/// Whether two ranges of one query surely leave no key out between them: they begin or end together, or each
/// begins before the other ends.
bool touch(const OpenRange &a, const OpenRange &b);

} // namespace heed

#endif // HEED_TRANSFORMS_OPENRANGE_H
