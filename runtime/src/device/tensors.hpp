#pragma once
/// \file
/// The arguments and temporaries of one call in memory of a device: the caller's own, or copies of what is on
/// the host for the length of the call.

#include "bound_call.hpp"
#include "host_copy.hpp"
#include "queues.hpp"

#include <optional>
#include <vector>

namespace heed::runtime::device {

/// Where a tensor is.
struct place {
  handle memory;
  std::int64_t first; ///< its first element, counted in elements from the start of the memory
  const std::int64_t *strides;
  std::uint8_t dtype;
};

class tensors {
public:
  tensors(const heed_program &program, const heed_view *views, const tables &tables, queue &queue);
  /// Waits when the device still works on memory of the host.
  ~tensors();
  tensors(const tensors &) = delete;
  tensors &operator=(const tensors &) = delete;

  /// Copies what the call reads, and gives temporaries a place. Afterwards every buffer has one.
  heed_code bring(heed_status *status);
  /// Copies what the call wrote to the host, and waits, if that is anything.
  heed_code fetch(heed_status *status);

  /// Of an argument or a temporary; one without elements is at some zeros.
  heed_code find(int buffer, place &found, heed_status *status);
  /// Some zeros, which nothing writes, and that stride to no others.
  heed_code find_nothing(std::uint8_t dtype, place &found, heed_status *status);

private:
  struct argument {
    std::optional<host_copy> copy;
    lease memory;
    std::vector<std::byte> packed; ///< the copy on the host, where the view has gaps
  };

  bool is_on_host(int number) const noexcept;
  heed_code check_room(int number, heed_status *status) const noexcept;
  heed_code bring(int number, bool wait, heed_status *status);
  heed_code fetch(int number, heed_status *status);
  heed_code fill_constants(heed_status *status);
  heed_code no_memory(const char *name, std::int64_t bytes, heed_status *status) const noexcept;

  const heed_program &program_;
  const heed_view *const views_;
  const tables tables_;
  queue &queue_;
  std::vector<argument> arguments_;
  lease arena_;
  lease constants_;      ///< zeros, then the scalars
  bool is_busy_ = false; ///< with memory of the host
};

} // namespace heed::runtime::device
