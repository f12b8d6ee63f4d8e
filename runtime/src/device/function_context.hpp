#pragma once
/// \file
/// What a device function gets as its context.

#include "queues.hpp"

namespace heed::runtime::device {

struct function_context {
  device::queue &queue;
  heed_status *status;
  const char *launch = nullptr;
  module *loaded = nullptr; ///< by the last heed_device_load
  heed_code code = HEED_OK; ///< of the first failure, whose words are in the status
};

/// How a device function ended that returned `result`.
heed_code end_of(const function_context &context, int result) noexcept;

} // namespace heed::runtime::device
