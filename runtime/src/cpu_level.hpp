#pragma once
/// \file
/// Levels of CPUs: that of this one, and what limits the choice.

#include "heed/abi.h"

#include <string_view>

namespace heed::runtime {

/// A level by its name in HEED_CPU_LEVEL; HEED_CPU_ANY for any other text.
heed_cpu_level level_named(std::string_view name) noexcept;

/// Whether a CPU of level `machine` runs code for `level`.
bool runs(heed_cpu_level machine, int level) noexcept;

/// The highest level that this CPU runs, found once.
heed_cpu_level machine_level() noexcept;

/// The highest level that is allowed; HEED_CPU_ANY: all.
heed_code find_limit(int &limit, heed_status *status) noexcept;

} // namespace heed::runtime
