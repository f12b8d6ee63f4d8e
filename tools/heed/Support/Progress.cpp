#include "Support/Progress.h"

#include <cstdio>
#include <fmt/format.h>

namespace heed::tools {

Progress::Progress(std::string what)
    : what(std::move(what)), start(std::chrono::steady_clock::now()), watcher([this] { watch(); }) {}

Progress::~Progress() {
  {
    std::lock_guard lock(mutex);
    done = true;
  }
  changed.notify_all();
  watcher.join();
}

void Progress::update(std::string text) {
  std::lock_guard lock(mutex);
  what = std::move(text);
}

void Progress::watch() {
  std::unique_lock lock(mutex);
  std::chrono::seconds wait{1};
  while (!changed.wait_for(lock, wait, [this] { return done; })) {
    fmt::print(stderr, "heed: {} … ({:.0f} s)\n", what, secondsSince(start));
    wait = std::chrono::seconds{10};
  }
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace heed::tools
