#pragma once
/// \file
/// On which core a thread runs. Where the system does not tell, nothing is known and nothing is moved.

namespace heed::runtime {

inline constexpr int unknown_core = -1;

int current_core() noexcept;

/// Number of cores that the calling thread may run on, at least 1.
int allowed_cores() noexcept;

/// Moves the calling thread away from a core, if it may run elsewhere; where it may run stays as it was. A
/// system wakes a thread where it slept, even on the core of the thread that now waits for it to work beside
/// it.
void leave_core(int core) noexcept;

} // namespace heed::runtime
