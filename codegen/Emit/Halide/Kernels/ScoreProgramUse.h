//===- ScoreProgramUse.h - What kernels make of a score program -*- C++ -*-===//
//
// The same for every target: in which unit scores are kept, and the key ranges within what is there.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_SCOREPROGRAMUSE_H
#define HEED_CODEGEN_KERNELS_SCOREPROGRAMUSE_H

#include "Attention.h"

namespace heed::kernels {

struct ScoreProgramUse {
  bool changesScore = false; ///< the program may make scores -infinity, which hides
  bool mayHide = false;      ///< the program says which pairs are visible
  bool hidesAll = false;     ///< it says that none is
  bool naturalUnit = false;  ///< scores are in natural logarithms

  /// Weights are 2^(unit · score). Where nobody else sees the scores, log2 e is in the queries' factor and
  /// unit is 1.
  Halide::Expr unit, queryFactor;
};

/// What is known of a row of scores: the largest, in the unit of the kernel's exponent, and the sum of the
/// weights relative to it.
struct RowState {
  Halide::Expr largest, sum;
};

/// `apply` is the program at any place; `isMatrix`: scores are written out.
ScoreProgramUse useOfProgram(const AttentionKernel &kernel, bool isMatrix,
                             const std::function<ScoreAndVisible(const Halide::Expr &anyScore)> &apply);

/// Elements as int32 within ±2^30, which key ranges are computed of.
ElementAt elementsOfRanges(ElementAt element);

/// What of a range lies in another.
KeyRange rangeWithin(const KeyRange &range, const KeyRange &whole);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_SCOREPROGRAMUSE_H
