#pragma once
/// \file
/// For which CPU level a call's code is made. Calls find the highest one themselves; this is for those who
/// compare levels or want the same code on different machines.

#include <heed/abi.h>
#include <heed/status.hpp>

namespace heed {

/// `heed::set_cpu_level(HEED_CPU_X86_64_V3)`: later calls run no higher level; HEED_CPU_ANY lifts the limit.
/// False, and nothing changes, when this CPU doesn't run the level.
[[nodiscard]] inline bool set_cpu_level(heed_cpu_level level) noexcept {
  return heed_set_cpu_level(level) == HEED_OK;
}

/// The highest level that this CPU runs.
inline heed_cpu_level machine_cpu_level() noexcept {
  return static_cast<heed_cpu_level>(heed_machine_cpu_level());
}

/// The level of the code that a call of this kernel runs now: `heed::cpu_level_of(heed_program_KERNEL)`.
/// HEED_CPU_ANY when a call would be refused; `heed_select_program` says why.
inline heed_cpu_level cpu_level_of(const heed_program &program) noexcept {
  const heed_program *const selected = heed_select_program(&program, nullptr);
  return selected ? static_cast<heed_cpu_level>(selected->cpu_level) : HEED_CPU_ANY;
}

/// "x86-64-v3"
inline const char *name(heed_cpu_level level) noexcept { return heed_cpu_level_name(level); }

} // namespace heed
