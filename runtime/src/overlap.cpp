#include "check.hpp"

#include "element.hpp"
#include "sentence.hpp"

#include <cstdint>

namespace heed::runtime {
namespace {

std::uintptr_t bytes_of(const heed_view &view) noexcept {
  return static_cast<std::uintptr_t>((span(view) + 1) * elements[view.dtype].bytes);
}

/// Memory of the host.
struct host_memory {
  static bool is_one(const heed_view &, const heed_view &) noexcept { return true; }
  static std::uintptr_t first(const heed_view &view) noexcept {
    return reinterpret_cast<std::uintptr_t>(view.data);
  }
};

bool is_on_host(const heed_view &view) noexcept { return view.memory == HEED_MEMORY_HOST; }

/// Memory of the host, and of a device by its addresses.
struct addressed_memory {
  static bool is_one(const heed_view &a, const heed_view &b) noexcept {
    return is_on_host(a) == is_on_host(b);
  }
  static std::uintptr_t first(const heed_view &view) noexcept {
    return host_memory::first(view) + static_cast<std::uintptr_t>(view.first * elements[view.dtype].bytes);
  }
};

/// Memory of the host, and places in what a device has handles for.
struct handled_memory {
  static bool is_one(const heed_view &a, const heed_view &b) noexcept {
    return is_on_host(a) == is_on_host(b) && (is_on_host(a) || a.data == b.data);
  }
  static std::uintptr_t first(const heed_view &view) noexcept {
    return is_on_host(view) ? host_memory::first(view)
                            : static_cast<std::uintptr_t>(view.first * elements[view.dtype].bytes);
  }
};

template <class Memory>
heed_code check_all(const heed_program &program, const heed_view *views, heed_status *status) noexcept {
  const auto first = [&](int a) { return Memory::first(views[a]); };
  const auto end = [&](int a) { return first(a) + bytes_of(views[a]); };
  for (int written = 0; written < program.argument_count; ++written) {
    const heed_argument &argument = program.arguments[written];
    if (!is_written(argument) || is_empty(views[written]))
      continue;
    const std::uintptr_t written_first = first(written), written_end = end(written);
    for (int other = 0; other < program.argument_count; ++other)
      if (other != written && first(other) < written_end && Memory::is_one(views[other], views[written]) &&
          !is_empty(views[other]) && written_first < end(other))
        return fail(status, HEED_INVALID_ARGUMENT)
               << argument.name << ": its memory overlaps that of " << program.arguments[other].name << ", "
               << role_name(argument) << " needs memory of its own; pass a separate buffer";
  }
  return HEED_OK;
}

} // namespace

heed_code check_overlap(const heed_program &program, const heed_view *views, heed_status *status) noexcept {
  return check_all<host_memory>(program, views, status);
}

heed_code check_overlap_on_device(const heed_program &program, const heed_view *views, bool has_addresses,
                                  heed_status *status) noexcept {
  return has_addresses ? check_all<addressed_memory>(program, views, status)
                       : check_all<handled_memory>(program, views, status);
}

} // namespace heed::runtime
