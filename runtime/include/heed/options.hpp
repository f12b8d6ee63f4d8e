#pragma once
/// \file
/// What a caller may choose for one call.

#include <heed/abi.h>

#include <cstdint>

namespace heed {

/// `{.threads = 1}`, `{.executor = &mine}`; see heed_executor and heed_allocator. What is left out has its
/// default.
struct options {
  std::int32_t threads = 0;                  ///< at most so many work on the call; 0: the default
  const heed_executor *executor = nullptr;   ///< null: the runtime's own threads
  const heed_allocator *allocator = nullptr; ///< null: the C library
  const heed_device *device = nullptr;       ///< null: the first device of the program's interface
  bool allow_cpu = false;                    ///< where no device can run the call, the CPU may

  operator heed_options() const noexcept { return {threads, executor, allocator, device, allow_cpu}; }
};

/// Default number of threads for calls that don't say; 0 restores one per core. Safe at any time.
inline void set_threads(std::int32_t threads) noexcept { heed_set_threads(threads); }

} // namespace heed
