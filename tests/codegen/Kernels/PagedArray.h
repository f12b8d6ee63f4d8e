//===- PagedArray.h - Memory that ends at a guard page ----------*- C++ -*-===//
#ifndef HEED_TESTS_KERNELS_PAGEDARRAY_H
#define HEED_TESTS_KERNELS_PAGEDARRAY_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <sys/mman.h>

namespace heed::kernels {

/// `count` elements right before a page that can't be touched. The memory before them is filled with one
/// byte, and so are they: as floats they are NaN.
template <class T> class PagedArray {
public:
  explicit PagedArray(size_t count) : count(count) {
    const size_t bytes = (count * sizeof(T) + page) / page * page;
    total = bytes + 2 * page;
    base = static_cast<uint8_t *>(
        mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base == MAP_FAILED)
      throw std::runtime_error("mmap: no memory");
    mprotect(base, page, PROT_NONE);
    mprotect(base + page + bytes, page, PROT_NONE);
    first = reinterpret_cast<T *>(base + page + bytes) - count;
    for (uint8_t *at = base + page; at < base + page + bytes; ++at)
      *at = filler;
  }
  PagedArray(const PagedArray &) = delete;
  ~PagedArray() { munmap(base, total); }

  T *data() { return first; }
  const T *data() const { return first; }
  size_t size() const { return count; }
  T &operator[](size_t n) { return first[n]; }
  const T &operator[](size_t n) const { return first[n]; }
  T *begin() { return first; }
  T *end() { return first + count; }

  /// Whether the memory before the elements is as it was made.
  bool untouchedBefore() const {
    for (const uint8_t *at = base + page; at < reinterpret_cast<const uint8_t *>(first); ++at)
      if (*at != filler)
        return false;
    return true;
  }

private:
  static constexpr size_t page = 4096;
  static constexpr uint8_t filler = 0xff;
  size_t count, total;
  uint8_t *base;
  T *first;
};

} // namespace heed::kernels

#endif // HEED_TESTS_KERNELS_PAGEDARRAY_H
