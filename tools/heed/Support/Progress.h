//===- Progress.h - Lines about work that takes long ------------*- C++ -*-===//
///
/// \file
/// Says on standard error what is going on, but only once it has taken more than a second: quick commands
/// stay quiet.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PROGRESS_H
#define HEED_TOOLS_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace heed::tools {

/// Prints "heed: WHAT …" when the object lives longer than a second, and again every ten seconds with the
/// time.
class Progress {
public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Changes what is going on.
  void update(std::string what);

private:
  void watch();

  std::string what;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::chrono::steady_clock::time_point start;
  std::thread watcher;
};

/// Seconds since a time point.
double secondsSince(std::chrono::steady_clock::time_point start);

} // namespace heed::tools

#endif // HEED_TOOLS_PROGRESS_H
