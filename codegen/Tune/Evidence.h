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

/// After a few pairs: no pair has shown a gain and the median is a loss, so more pairs can't help.
bool isHopeless(const std::vector<double> &gains);

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_EVIDENCE_H
