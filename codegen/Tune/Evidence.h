//===- Evidence.h - Whether a measured gain is one --------------*- C++ -*-===//
///
/// \file
/// A candidate is timed beside the incumbent, in pairs. A gain is the incumbent's time over the candidate's
/// in one pair. A few outliers move neither the median nor a quartile.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TUNE_EVIDENCE_H
#define HEED_CODEGEN_TUNE_EVIDENCE_H

#include <vector>

namespace heed::tune {

/// Gains below this are not worth a change, however sure they are.
inline constexpr double leastGain = 0.0025;

/// Interpolated between neighbours; 0 when there are no values.
double quantile(std::vector<double> values, double part);

/// The lower quartile of the gains is one: at least three pairs in four say so.
bool isFaster(const std::vector<double> &gains);

/// More pairs can't help: the median is a loss, and so is every pair of at least three, or three in four of
/// at least six.
bool isHopeless(const std::vector<double> &gains);

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_EVIDENCE_H
