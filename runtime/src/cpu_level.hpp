#pragma once
/// \file
/// Which of a kernel's programs a call runs.

#include "heed/abi.h"

#include <string_view>

namespace heed::runtime {

/// A level by its name in HEED_CPU_LEVEL; HEED_CPU_ANY for any other text.
heed_cpu_level level_named(std::string_view name) noexcept;

/// Whether a CPU of level `machine` runs code for `level`.
bool runs(heed_cpu_level machine, int level) noexcept;

/// heed_select_program with its result apart from its code. A null program and one of another version are
/// refused too.
heed_code select_program(const heed_program *program, const heed_program *&selected,
                         heed_status *status) noexcept;

} // namespace heed::runtime
