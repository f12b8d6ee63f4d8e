#include "threads.hpp"

#include "cores.hpp"

#include "heed/abi.h"

#include <algorithm>
#include <atomic>

namespace heed::runtime {
namespace {

std::atomic<std::int32_t> chosen_threads{0};

} // namespace

std::int32_t default_threads() noexcept {
  static const std::int32_t cores = std::min(allowed_cores(), max_threads);
  const std::int32_t chosen = chosen_threads.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : cores;
}

} // namespace heed::runtime

void heed_set_threads(int32_t threads) {
  heed::runtime::chosen_threads.store(std::clamp(threads, 0, heed::runtime::max_threads),
                                      std::memory_order_relaxed);
}
