#pragma once
/// \file
/// One launch: planned, then run by one thread or by several.

#include "memory.hpp"
#include "plan.hpp"
#include "scratch.hpp"

#include <cstdint>

namespace heed::runtime {

/// What all launches of a call share.
struct call_context {
  launch_context launch;
  const memory &source;
  scratch &own_scratch;          ///< of the calling thread
  const heed_executor *executor; ///< null: the runtime's own threads
  std::int32_t threads;
  bool worth_waking; ///< the call has work enough to wake threads that sleep
  heed_status *status;
};

heed_code run_launch(const heed_launch &launch, call_context &context) noexcept;

/// Whether the calling thread is inside a tile of a call that runs on several threads.
bool inside_parallel_tile() noexcept;

} // namespace heed::runtime
