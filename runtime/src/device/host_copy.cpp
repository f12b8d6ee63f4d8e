#include "host_copy.hpp"

#include "checked.hpp"
#include "element.hpp"

#include <algorithm>
#include <cstring>

namespace heed::runtime::device {

host_copy::host_copy(const heed_view &view) noexcept {
  // Axes that elements differ along, from the smallest stride of the host to the largest.
  int order[HEED_MAX_RANK], count = 0;
  for (int axis = view.rank - 1; axis >= 0; --axis) {
    strides[axis] = 0;
    if (view.extents[axis] > 1 && view.strides[axis] != 0)
      order[count++] = axis;
  }
  std::stable_sort(order, order + count, [&](int a, int b) { return view.strides[a] < view.strides[b]; });

  const std::int64_t element_bytes = elements[view.dtype].bytes;
  std::int64_t inside = 1;
  run = element_bytes;
  for (int place = 0; place < count; ++place) {
    const int axis = order[place];
    strides[axis] = inside;
    if (outer_count_ == 0 && view.strides[axis] == inside)
      run = multiply(run, view.extents[axis]);
    else
      outer_[outer_count_++] = axis;
    inside = multiply(inside, view.extents[axis]);
  }
  bytes = multiply(inside, element_bytes);
  std::reverse(outer_, outer_ + outer_count_);
}

/// Calls move(place in the view, place in the copy), both in bytes.
template <class Move> void host_copy::for_each_run(const heed_view &view, Move move) const noexcept {
  const std::int64_t element_bytes = elements[view.dtype].bytes;
  std::int64_t index[HEED_MAX_RANK] = {}, there = 0, here = 0;
  for (;;) {
    move(there, here);
    int place = outer_count_ - 1;
    for (; place >= 0; --place) {
      const int axis = outer_[place];
      const bool goes_on = ++index[place] < view.extents[axis];
      const std::int64_t steps = goes_on ? 1 : 1 - view.extents[axis];
      there += steps * view.strides[axis] * element_bytes;
      here += steps * strides[axis] * element_bytes;
      if (goes_on)
        break;
      index[place] = 0;
    }
    if (place < 0)
      return;
  }
}

void host_copy::pack(const heed_view &view, std::byte *copy) const noexcept {
  for_each_run(view, [&](std::int64_t there, std::int64_t here) {
    std::memcpy(copy + here, static_cast<const std::byte *>(view.data) + there,
                static_cast<std::size_t>(run));
  });
}

void host_copy::unpack(const std::byte *copy, const heed_view &view) const noexcept {
  for_each_run(view, [&](std::int64_t there, std::int64_t here) {
    std::memcpy(static_cast<std::byte *>(view.data) + there, copy + here, static_cast<std::size_t>(run));
  });
}

} // namespace heed::runtime::device
