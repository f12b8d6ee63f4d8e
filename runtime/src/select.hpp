#pragma once
/// \file
/// Which of a kernel's programs a call runs, and where.

#include "heed/abi.h"

#include <memory>

namespace heed::runtime {

namespace device {
struct queue;
}

struct selection {
  const heed_program *program = nullptr;
  std::shared_ptr<device::queue> queue; ///< null on the CPU
};

/// The first program of a chain whose device is there or that the CPU runs. A null program and one of another
/// version are refused.
heed_code select(const heed_program *chain, const heed_options &options, selection &selected,
                 heed_status *status) noexcept;

} // namespace heed::runtime
