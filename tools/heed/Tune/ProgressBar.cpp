#include "Tune/ProgressBar.h"

#include "Support/Progress.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace heed::tools {

std::string shareText(double share, const std::string &limit) {
  return limit.empty() ? "no limit probed" : fmt::format("{:.1f} % of {}", 100 * share, limit);
}

std::string barText(const SearchFigures &figures) {
  constexpr int width = 20;
  double done = figures.budget > 0 ? 1 - figures.secondsLeft / figures.budget : 1;
  int filled = std::clamp(static_cast<int>(done * width), 0, width);
  return fmt::format("[{:=<{}}{: <{}}] {} tried, {} left | best {:.3f} x the default, {} | {:.0f} s left", "",
                     filled, "", width - filled, figures.tried, figures.left, figures.gain,
                     shareText(figures.share, figures.limit), std::max(0.0, figures.secondsLeft));
}

ProgressBar::ProgressBar(std::string what) : what(std::move(what)), onTerminal(isatty(STDERR_FILENO)) {}

ProgressBar::~ProgressBar() {
  if (painted)
    fmt::print(stderr, "\n");
}

void ProgressBar::update(const SearchFigures &figures) {
  bool isBetter = figures.gain > shownGain;
  shownGain = std::max(shownGain, figures.gain);
  if (onTerminal) {
    if (isBetter || !painted || secondsSince(last) > 0.3)
      paint(figures);
  } else if (isBetter) {
    fmt::print(stderr, "heed: {}: {:.3f} x the default, {}, after {} candidates\n", what, figures.gain,
               shareText(figures.share, figures.limit), figures.tried);
  }
}

void ProgressBar::paint(const SearchFigures &figures) {
  fmt::print(stderr, "\r{} {}\x1b[K", what, barText(figures));
  std::fflush(stderr);
  painted = true;
  last = std::chrono::steady_clock::now();
}

} // namespace heed::tools
