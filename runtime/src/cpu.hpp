#pragma once
/// \file
/// What a CPU can do, as the CPU tells it.

#include "heed/abi.h"

#include <cstdint>

namespace heed::runtime {

/// Registers of the instructions that describe an x86-64 CPU; zeros where it has no such leaf.
struct cpu_description {
  std::uint32_t leaf_1_ecx = 0;        ///< CPUID, leaf 1
  std::uint32_t leaf_7_ebx = 0;        ///< leaf 7, sub-leaf 0
  std::uint32_t leaf_7_ecx = 0;        ///< leaf 7, sub-leaf 0
  std::uint32_t leaf_7_1_eax = 0;      ///< leaf 7, sub-leaf 1
  std::uint32_t extended_leaf_ecx = 0; ///< leaf 0x80000001
  std::uint64_t saved_state = 0;       ///< XCR0: the registers that the system saves between threads
};

/// The highest level of x86-64 that a CPU so described runs; HEED_CPU_ANY when it has not even SSE4.1.
/// Instructions count only when the system saves the registers they work on.
heed_cpu_level x86_level(const cpu_description &cpu) noexcept;

/// The highest level of the CPU that this runs on.
heed_cpu_level detect_level() noexcept;

} // namespace heed::runtime
