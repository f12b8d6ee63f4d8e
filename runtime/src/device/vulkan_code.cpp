#include "vulkan_code.hpp"

#include "sentence.hpp"

#include <cstring>

namespace heed::runtime::device::vulkan {
namespace {

/// Words from a part of the code. Past its end there are zeros, and `failed` is set.
class words {
public:
  words(const char *begin, std::size_t bytes) noexcept : next_(begin), end_(begin + bytes) {}

  bool failed() const noexcept { return failed_; }
  std::uint32_t word() noexcept {
    std::uint32_t word = 0;
    if (const char *from = skip(sizeof word))
      std::memcpy(&word, from, sizeof word);
    return word;
  }
  /// Its length in words, then the characters, filled up with zeros.
  std::string text() {
    const std::size_t bytes = std::size_t{word()} * sizeof(std::uint32_t);
    const char *from = skip(bytes);
    return from ? std::string(from, strnlen(from, bytes)) : std::string();
  }
  words part(std::size_t bytes) noexcept {
    const char *from = skip(bytes);
    return from ? words(from, bytes) : words(end_, 0);
  }
  std::vector<std::uint32_t> rest() {
    std::vector<std::uint32_t> rest(static_cast<std::size_t>(end_ - next_) / sizeof(std::uint32_t));
    if (!rest.empty())
      std::memcpy(rest.data(), next_, rest.size() * sizeof(std::uint32_t));
    return rest;
  }

private:
  const char *skip(std::size_t bytes) noexcept {
    if (static_cast<std::size_t>(end_ - next_) < bytes) {
      failed_ = true;
      next_ = end_;
      return nullptr;
    }
    const char *const from = next_;
    next_ += bytes;
    return from;
  }

  const char *next_, *end_;
  bool failed_ = false;
};

bool read_shared(words &from, std::vector<shared_array> &shared) {
  for (std::uint32_t left = from.word(); left > 0 && !from.failed(); --left) {
    from.text();
    shared_array array{};
    array.constant = from.word();
    array.element_bytes = from.word();
    array.elements = from.word();
    shared.push_back(array);
  }
  return !from.failed();
}

/// A kernel: how long its list is in words, how many entry points there are, for each what it binds; SPIR-V.
bool read_kernel(words from, std::size_t bytes, kernel_code &kernel) {
  words list = from;
  const std::size_t list_bytes = std::size_t{list.word()} * sizeof(std::uint32_t);
  if (list_bytes > bytes || list.word() != 1)
    return false;
  kernel.entry = list.text();
  kernel.uniform_buffers = list.word();
  kernel.storage_buffers = list.word();
  for (std::uint32_t left = list.word(); left > 0 && !list.failed(); --left) {
    list.text(); // a constant's name, number and size, which are found at its uses, too
    list.word();
    list.word();
  }
  if (!read_shared(list, kernel.shared))
    return false;
  for (std::uint32_t &constant : kernel.size_constants)
    constant = list.word();
  from.part(list_bytes);
  kernel.spirv = from.rest();
  constexpr std::uint32_t magic = 0x07230203;
  return !list.failed() && kernel.spirv.size() > 5 && kernel.spirv[0] == magic && kernel.uniform_buffers <= 1;
}

/// How many kernels, for each its bytes and name; then the kernels.
bool read_kernels(words from, std::vector<kernel_code> &kernels) {
  std::vector<std::size_t> bytes;
  for (std::uint32_t left = from.word(); left > 0 && !from.failed(); --left) {
    bytes.push_back(from.word());
    from.text();
  }
  kernels.resize(bytes.size());
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    const words part = from.part(bytes[k]);
    if (from.failed() || !read_kernel(part, bytes[k], kernels[k]))
      return false;
  }
  return !from.failed() && !kernels.empty();
}

} // namespace

heed_code read_code(const char *code, std::size_t size, std::vector<kernel_code> &kernels,
                    heed_status *status) {
  if (read_kernels(words(code, size), kernels))
    return HEED_OK;
  return fail(status, HEED_UNSUPPORTED)
         << "vulkan: the kernels of the library can't be read, those of this runtime's compiler are needed; "
            "rebuild the library with it";
}

std::vector<std::uint32_t> capabilities(const std::vector<std::uint32_t> &spirv) {
  constexpr std::size_t header_words = 5;
  constexpr std::uint32_t capability = 17;
  std::vector<std::uint32_t> found;
  for (std::size_t at = header_words; at + 1 < spirv.size(); at += 2) {
    if (spirv[at] != (2u << 16 | capability)) // they come first
      break;
    found.push_back(spirv[at + 1]);
  }
  return found;
}

} // namespace heed::runtime::device::vulkan
