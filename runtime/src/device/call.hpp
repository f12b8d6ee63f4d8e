#pragma once
/// \file
/// The call of a program for a device.

#include "bound_call.hpp"
#include "queues.hpp"

namespace heed::runtime::device {

/// Runs a program whose arguments and sizes were checked. Waits only for memory of the host.
heed_code call(const heed_program &program, const heed_view *views, const tables &tables, queue &queue,
               heed_status *status) noexcept;

} // namespace heed::runtime::device
