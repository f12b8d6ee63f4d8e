#pragma once
/// \file
/// The memory of a device that callers and calls hold, by number.

#include "driver.hpp"
#include "vulkan_memory.hpp"

#include <map>
#include <mutex>

namespace heed::runtime::device::vulkan {

class memories {
public:
  explicit memories(const opened_device &device) noexcept : device_(device) {}
  /// Nothing may use what is left.
  ~memories();

  /// 0 when there is no memory.
  handle allocate(std::uint64_t bytes) noexcept;
  /// It has no number any more; without bytes if it had none.
  memory take(handle number) noexcept;

  /// Without bytes if the number is none.
  memory find(handle number) const noexcept;
  /// Some that has the bytes from an offset on.
  heed_code find(handle number, std::uint64_t offset, std::uint64_t bytes, memory &found,
                 heed_status *status) const noexcept;

private:
  const opened_device &device_;
  mutable std::mutex mutex_;
  std::map<handle, memory> all_;
  handle next_ = 1;
};

} // namespace heed::runtime::device::vulkan
