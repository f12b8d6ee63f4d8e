#include "threads.hpp"

#include "heed/abi.h"

#include <algorithm>
#include <atomic>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace heed::runtime {
namespace {

std::atomic<std::int32_t> chosen_threads{0};

std::int32_t count_cores() noexcept {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
#endif
  return static_cast<std::int32_t>(std::thread::hardware_concurrency());
}

} // namespace

std::int32_t default_threads() noexcept {
  static const std::int32_t cores = std::clamp(count_cores(), 1, max_threads);
  const std::int32_t chosen = chosen_threads.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : cores;
}

} // namespace heed::runtime

void heed_set_threads(int32_t threads) {
  heed::runtime::chosen_threads.store(std::clamp(threads, 0, heed::runtime::max_threads),
                                      std::memory_order_relaxed);
}
