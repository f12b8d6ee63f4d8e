#include "file_bytes.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace heed::detail {
namespace {

struct descriptor {
  int number;
  explicit descriptor(int number) noexcept : number(number) {}
  descriptor(const descriptor &) = delete;
  descriptor &operator=(const descriptor &) = delete;
  ~descriptor() {
    if (number >= 0)
      close(number);
  }
};

failure unreadable(const std::string &file) { return {file + ": can't be read: " + std::strerror(errno)}; }

result<file_bytes> read_to_end(int number, const std::string &file) {
  auto content = std::make_shared<std::vector<std::byte>>();
  constexpr std::size_t step = 1 << 16;
  for (std::size_t used = 0;;) {
    content->resize(used + step);
    const ssize_t got = read(number, content->data() + used, step);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return unreadable(file);
    used += static_cast<std::size_t>(got);
    if (got > 0)
      continue;
    content->resize(used);
    return file_bytes{{content->data(), used}, content};
  }
}

} // namespace

result<file_bytes> read_file(const std::string &file) {
  const descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (opened.number < 0 || fstat(opened.number, &status) != 0)
    return unreadable(file);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || size == 0)
    return read_to_end(opened.number, file);
  void *const mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened.number, 0);
  if (mapped == MAP_FAILED)
    return read_to_end(opened.number, file);
  std::shared_ptr<const void> memory(mapped, [size](void *address) { munmap(address, size); });
  return file_bytes{{static_cast<const std::byte *>(mapped), size}, std::move(memory)};
}

} // namespace heed::detail
