//===- Paired.h - Two programs, timed side by side --------------*- C++ -*-===//
///
/// \file
/// Times two calls in pairs, so that both of a pair see the same clock and the same neighbours, and the
/// order within a pair alternates. Ratios of pairs are far steadier than times.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PAIRED_H
#define HEED_TOOLS_PAIRED_H

#include <functional>
#include <vector>

namespace heed::tools {

struct PairedTimes {
  std::vector<double> first, second; ///< seconds of a call
  /// first / second, pair by pair.
  std::vector<double> gains() const;
};

/// At most `pairs` of them, fewer when `isEnough` says so of the gains so far. Both calls are made before.
PairedTimes timePairs(const std::function<void()> &first, const std::function<void()> &second, int pairs,
                      const std::function<bool(const std::vector<double> &gains)> &isEnough = {});

} // namespace heed::tools

#endif // HEED_TOOLS_PAIRED_H
