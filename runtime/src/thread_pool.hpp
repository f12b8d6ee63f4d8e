#pragma once
/// \file
/// The runtime's own threads: started when first needed, shared by all calls of the process.

#include <cstdint>

namespace heed::runtime {

/// Runs body(closure, i) on the calling thread with i = 0 and, while that lasts, on up to width - 1 other
/// threads with other i < width. Returns when every body that started is done. A body therefore takes its
/// work from a place shared with the others and must not count on company: threads may be busy, stopped, or
/// impossible to start. Threads that sleep stay asleep unless `wake_others` is set, since to wake them costs
/// microseconds.
void run_together(std::int32_t width, bool wake_others, void (*body)(void *closure, std::int32_t index),
                  void *closure) noexcept;

} // namespace heed::runtime
