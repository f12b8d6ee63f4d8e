//===- Estimates.h - What an untried candidate should take ------*- C++ -*-===//
///
/// \file
/// The candidates of one operation with what is known of them. The cost model predicts a relative time of
/// the kernel; trials show how far off it is. The correction of an untried candidate is the mean of the
/// errors of tried ones, weighted by exp(−distance²), where the distance counts doublings of fields; far from
/// all trials it fades to none.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TUNE_ESTIMATES_H
#define HEED_CODEGEN_TUNE_ESTIMATES_H

#include "Tune/Problem.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace heed::tune {

class Estimates {
public:
  /// `share` is the predicted part of this operation in the kernel's time with the defaults. Times are
  /// logarithms of the kernel's time over that with the defaults.
  Estimates(const TunedOperation &operation, const Machine &machine, double share);

  size_t size() const { return candidates.size(); }
  const Schedule &schedule(size_t candidate) const { return candidates[candidate].schedule; }
  /// Nothing if it is not one of the candidates.
  std::optional<size_t> find(const Schedule &schedule) const;

  /// A candidate is not to be tried again; with the time that it took, if it was timed.
  void markTried(size_t candidate, std::optional<double> time = std::nullopt);
  bool isTried(size_t candidate) const { return candidates[candidate].tried; }

  double time(size_t candidate) const {
    return candidates[candidate].predicted + candidates[candidate].error();
  }

private:
  struct Candidate {
    Schedule schedule;
    std::vector<double> place; ///< logarithms of the fields
    double predicted;
    bool tried = false;
    double weights = 0, errors = 0; ///< of trials near it
    double error() const { return errors / (weights + 0.3); }
  };
  std::vector<Candidate> candidates;
};

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_ESTIMATES_H
