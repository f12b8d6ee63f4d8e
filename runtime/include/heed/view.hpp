#pragma once
/// \file
/// A tensor in memory that belongs to someone else: a pointer, extents and strides.

#include <heed/abi.h>
#include <heed/dtype.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heed {

/// A number of elements, from any integer type.
struct size {
  std::int64_t value;
  template <std::integral Integer>
  constexpr size(Integer value) noexcept : value(static_cast<std::int64_t>(value)) {}
};

/// Memory on a device: a cl_mem, a CUdeviceptr or a pointer of CUDA, and how many elements after its start a
/// view begins.
struct device_memory {
  void *handle;
  std::int64_t first = 0;
  heed_memory kind = HEED_MEMORY_DEVICE;

  constexpr device_memory(void *handle, std::int64_t first = 0) noexcept : handle(handle), first(first) {}
  device_memory(std::uintptr_t address, std::int64_t first = 0) noexcept
      : handle(reinterpret_cast<void *>(address)), first(first) {}
};

/// `view<const float, 3>{data, {3, 5, 10}}` is dense and row-major; a third list gives strides, counted in
/// elements. `view<const float, 3>{device_memory{handle}, {3, 5, 10}}` is on a device. Nothing is checked
/// here: the call that gets the view does, and says what is wrong.
template <element T, int Rank> class view {
  static_assert(Rank >= 0 && Rank <= HEED_MAX_RANK, "heed::view: a tensor has 0 to 6 axes");

public:
  constexpr explicit view(T *data) noexcept
    requires(Rank == 0)
      : data_(data) {}

  template <std::size_t N>
    requires(N == Rank)
  constexpr view(T *data, const size (&extents)[N]) noexcept : data_(data) {
    for (std::size_t axis = 0; axis < axes; ++axis)
      extents_[axis] = extents[axis].value;
    make_dense();
  }

  template <std::size_t N>
    requires(N == Rank)
  constexpr view(T *data, const size (&extents)[N], const size (&strides)[N]) noexcept : data_(data) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      extents_[axis] = extents[axis].value;
      strides_[axis] = strides[axis].value;
    }
  }

  template <std::integral Integer, std::size_t N>
    requires(N == Rank)
  constexpr view(T *data, const std::array<Integer, N> &extents) noexcept : data_(data) {
    for (std::size_t axis = 0; axis < axes; ++axis)
      extents_[axis] = static_cast<std::int64_t>(extents[axis]);
    make_dense();
  }

  template <std::integral Integer, std::size_t N>
    requires(N == Rank)
  constexpr view(T *data, const std::array<Integer, N> &extents,
                 const std::array<Integer, N> &strides) noexcept
      : data_(data) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      extents_[axis] = static_cast<std::int64_t>(extents[axis]);
      strides_[axis] = static_cast<std::int64_t>(strides[axis]);
    }
  }

  template <std::size_t N>
    requires(N == Rank)
  view(device_memory memory, const size (&extents)[N]) noexcept : view(data_of(memory), extents) {
    place(memory);
  }
  template <std::size_t N>
    requires(N == Rank)
  view(device_memory memory, const size (&extents)[N], const size (&strides)[N]) noexcept
      : view(data_of(memory), extents, strides) {
    place(memory);
  }

  /// A view through which the elements can't be written.
  template <class Other>
    requires(std::same_as<T, const Other>)
  constexpr view(const view<Other, Rank> &other) noexcept
      : data_(other.data_), dtype_(other.dtype_), rank_(other.rank_), extents_(other.extents_),
        strides_(other.strides_), first_(other.first_), memory_(other.memory_) {}

  /// A foreign tensor that may not fit: another type, rank or device is reported by the call.
  static constexpr view from(const heed_view &foreign) noexcept {
    view result;
    result.data_ = static_cast<T *>(foreign.data);
    result.dtype_ = foreign.dtype;
    result.rank_ = foreign.rank;
    result.memory_ = foreign.memory;
    result.first_ = foreign.first;
    if (foreign.rank == Rank && foreign.dtype >= 0)
      for (std::size_t axis = 0; axis < axes; ++axis) {
        result.extents_[axis] = foreign.extents[axis];
        result.strides_[axis] = foreign.strides[axis];
      }
    return result;
  }

  /// On a device: the handle of its memory.
  constexpr T *data() const noexcept { return data_; }
  constexpr bool is_on_device() const noexcept { return memory_ != HEED_MEMORY_HOST; }
  constexpr std::int64_t extent(int axis) const noexcept { return extents_[static_cast<std::size_t>(axis)]; }
  constexpr std::int64_t stride(int axis) const noexcept { return strides_[static_cast<std::size_t>(axis)]; }

  constexpr operator heed_view() const noexcept {
    // Member by member: compilers clear a large object at once with instructions that are slow to start.
    heed_view result;
    result.data = const_cast<std::remove_const_t<T> *>(data_);
    result.dtype = dtype_;
    result.rank = rank_;
    for (std::size_t axis = 0; axis < HEED_MAX_RANK; ++axis) {
      result.extents[axis] = axis < axes ? extents_[axis] : 0;
      result.strides[axis] = axis < axes ? strides_[axis] : 0;
    }
    result.memory = memory_;
    result.first = first_;
    return result;
  }

private:
  template <element, int> friend class view;

  static constexpr std::size_t axes = Rank;

  constexpr view() noexcept = default;

  static T *data_of(const device_memory &memory) noexcept { return static_cast<T *>(memory.handle); }
  void place(const device_memory &memory) noexcept {
    memory_ = memory.kind;
    first_ = memory.first;
  }

  constexpr void make_dense() noexcept {
    std::int64_t stride = 1;
    for (std::size_t axis = axes; axis-- > 0;) {
      strides_[axis] = stride;
      // Extents that wrap are refused by the call, whatever their strides.
      stride = static_cast<std::int64_t>(static_cast<std::uint64_t>(stride) *
                                         static_cast<std::uint64_t>(extents_[axis]));
    }
  }

  T *data_ = nullptr;
  std::int32_t dtype_ = dtype_of<T>;
  std::int32_t rank_ = Rank;
  std::array<std::int64_t, axes> extents_{}, strides_{};
  std::int64_t first_ = 0;
  std::int32_t memory_ = HEED_MEMORY_HOST;
};

template <class T> view(T *) -> view<T, 0>;
template <class T, std::size_t N> view(T *, const size (&)[N]) -> view<T, static_cast<int>(N)>;
template <class T, std::size_t N>
view(T *, const size (&)[N], const size (&)[N]) -> view<T, static_cast<int>(N)>;
template <class T, class Integer, std::size_t N>
view(T *, const std::array<Integer, N> &) -> view<T, static_cast<int>(N)>;
template <class T, class Integer, std::size_t N>
view(T *, const std::array<Integer, N> &, const std::array<Integer, N> &) -> view<T, static_cast<int>(N)>;

} // namespace heed
