//===- Search.h - A measured search for faster schedules --------*- C++ -*-===//
///
/// \file
/// Looks for schedules of a kernel's operations that make the kernel faster at given sizes. It starts with
/// the defaults and measures one candidate at a time: one operation's schedule changed, all else as in the
/// incumbent. What comes next is the candidate with the best estimate, which is the cost model's, corrected
/// by how wrong the model was for similar candidates. One in six is drawn at random from the better ones, so
/// that a wrong model does not hide a region. A candidate that wins is measured once more before it is taken.
///
/// Time and measurement come from outside, so that a search can be tested without either.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TUNE_SEARCH_H
#define HEED_CODEGEN_TUNE_SEARCH_H

#include "Tune/Problem.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace heed::tune {

enum class Outcome {
  Timed,
  Refused,  ///< it does not compile
  Wrong,    ///< it compiles, but its results differ
  Crashed,  ///< compiler or kernel died
  TimedOut, ///< compiler or kernel did not come back
  Stopped   ///< the user wants no more
};

/// A candidate beside the incumbent.
struct Trial {
  Outcome outcome = Outcome::Timed;
  std::vector<double> gains = {}; ///< the incumbent's time over the candidate's, pair by pair
  std::string reason = {};        ///< why it was set aside
};

/// The schedule of one operation, tried.
struct Tried {
  size_t operation; ///< its number
  Schedule schedule;
  Outcome outcome;
  double gain;        ///< over the default, 0 when it was not timed
  std::string reason; ///< why it was set aside
};

enum class Ending { Budget, NoGain, Exhausted, Stopped };

struct SearchState {
  ScheduleTable best;       ///< all operations
  double gain = 1;          ///< of `best` over the defaults, the product of the medians of accepted gains
  std::vector<Tried> tried; ///< in order, without those of earlier searches
  size_t left = 0;          ///< candidates that have not been tried
  Ending ending = Ending::Budget;
};

struct SearchOptions {
  double budget = 60; ///< seconds, of which the search leaves what one candidate takes
  uint64_t seed = 1;
  std::vector<Tried> known = {}; ///< by earlier searches: not measured again, but learned from
  ScheduleTable start = {};      ///< an earlier search's best: measured first, against the defaults
};

/// What the search calls.
struct SearchEnvironment {
  std::function<Trial(const ScheduleTable &candidate, const ScheduleTable &incumbent)> measure;
  std::function<double()> seconds; ///< since the search began
  std::function<bool()> stopped;
  std::function<void(const SearchState &)> progress = {}; ///< after every candidate
};

SearchState search(const std::vector<TunedOperation> &operations, const Machine &machine,
                   const SearchOptions &options, const SearchEnvironment &environment);

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_SEARCH_H
