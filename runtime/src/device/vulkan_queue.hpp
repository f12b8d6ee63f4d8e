#pragma once
/// \file
/// A queue whose commands run one after the other: recorded here, submitted when the device may begin.

#include "vulkan_batch.hpp"

#include <deque>
#include <memory>
#include <mutex>

namespace heed::runtime::device::vulkan {

/// To be used with `mutex` held. Functions with a status may throw std::bad_alloc.
class in_order {
public:
  explicit in_order(const opened_device &device) : device_(device) { idle_.reserve(most_idle); }
  /// Waits.
  ~in_order();

  std::mutex mutex;

  /// Where the next command belongs, which sees what all before it wrote.
  heed_code next(batch *&commands, heed_status *status);
  heed_code submit(heed_status *status);
  heed_code wait(heed_status *status);

  /// When no command so far can use it.
  void destroy_later(memory &memory);

private:
  heed_code take(std::unique_ptr<batch> &taken, heed_status *status);
  /// What is done, without waiting for more.
  void retire() noexcept;
  void retire_first(bool is_done) noexcept;

  static constexpr std::size_t most_idle = 8;
  const opened_device &device_;
  std::unique_ptr<batch> recording_;
  std::deque<std::unique_ptr<batch>> running_;
  std::vector<std::unique_ptr<batch>> idle_; ///< to be used again
};

} // namespace heed::runtime::device::vulkan
