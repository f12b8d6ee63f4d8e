//===- ProgressBar.h - A search, as it goes on ------------------*- C++ -*-===//
///
/// \file
/// On a terminal one line on standard error that is painted anew; elsewhere a line when something better was
/// found.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PROGRESSBAR_H
#define HEED_TOOLS_PROGRESSBAR_H

#include <chrono>
#include <cstddef>
#include <string>

namespace heed::tools {

struct SearchFigures {
  std::size_t tried = 0, left = 0;
  double gain = 1;   ///< of the best over the default
  double share = 0;  ///< of the limit, with the best
  std::string limit; ///< "FMA peak"; empty where none is probed
  double secondsLeft = 0, budget = 0;
};

/// "87.1 % of FMA peak", or that no limit was probed.
std::string shareText(double share, const std::string &limit);

/// "[=====>    ] 12 tried, 831 left | best 1.034 x the default, 87.1 % of FMA peak | 41 s left"
std::string barText(const SearchFigures &figures);

class ProgressBar {
public:
  /// `what` is being tuned.
  explicit ProgressBar(std::string what);
  /// Ends the line.
  ~ProgressBar();

  /// Called often; paints a few times a second.
  void update(const SearchFigures &figures);

private:
  void paint(const SearchFigures &figures);

  std::string what;
  bool onTerminal, painted = false;
  double shownGain = 1;
  std::chrono::steady_clock::time_point last;
};

} // namespace heed::tools

#endif // HEED_TOOLS_PROGRESSBAR_H
