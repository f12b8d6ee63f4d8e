//===- ProbeLoops.h - The inner loops of the limits -------------*- C++ -*-===//
///
/// \file
/// Machine loops behind ArithmeticProbe and BandwidthProbe, for one level of vector instructions.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PROBELOOPS_H
#define HEED_TOOLS_PROBELOOPS_H

#include "heed/abi.h"

#include <cstddef>
#include <cstdint>

namespace heed::tools {

struct ProbeLoops {
  const char *level;
  int lanes;
  /// `rounds` rounds of operationsPerRound; the result only keeps the loop alive.
  float (*fma)(std::int64_t rounds);
  double operationsPerRound;
  /// The same of dot products of pairs of bf16, which are twice as many operations; null where the level has
  /// no instruction for them.
  float (*bf16Dot)(std::int64_t rounds);
  /// Sums `streams` rows of `count` floats each, `pitch` floats apart, side by side. count is a multiple of
  /// 256, streams 1, 2, 4 or 8.
  float (*read)(const float *first, std::size_t count, std::size_t pitch, int streams);
};

/// Loops of the vectors that code for a level has. The machine must run it.
ProbeLoops probeLoops(heed_cpu_level level);

} // namespace heed::tools

#endif // HEED_TOOLS_PROBELOOPS_H
