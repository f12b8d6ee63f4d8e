#pragma once
/// \file
/// Bytes that end where memory ends.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace heed::test {

/// A read past the last byte, or before the first by a page, ends the program.
class guarded_bytes {
public:
  explicit guarded_bytes(std::size_t capacity)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        length_((capacity + page_ - 1) / page_ * page_ + 2 * page_),
        memory_(static_cast<std::byte *>(
            mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(memory_, page_, PROT_NONE);
    mprotect(memory_ + length_ - page_, page_, PROT_NONE);
  }
  guarded_bytes(const guarded_bytes &) = delete;
  guarded_bytes &operator=(const guarded_bytes &) = delete;
  ~guarded_bytes() { munmap(memory_, length_); }

  /// The text at the end of the memory; valid until the next call.
  std::span<const std::byte> hold(const std::string &text) {
    std::byte *const begin = memory_ + length_ - page_ - text.size();
    std::memcpy(begin, text.data(), text.size());
    return {begin, text.size()};
  }

private:
  std::size_t page_, length_;
  std::byte *memory_;
};

} // namespace heed::test
