#include "sentence.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace heed::runtime {

sentence::sentence(heed_status *status, heed_code code) noexcept : status_(status), code_(code) {
  if (status_)
    status_->message[0] = '\0';
}

sentence &sentence::operator<<(std::string_view text) noexcept {
  if (!status_)
    return *this;
  const auto room = static_cast<std::size_t>(HEED_MESSAGE_SIZE - 1 - length_);
  const std::size_t taken = std::min(text.size(), room);
  std::memcpy(status_->message + length_, text.data(), taken);
  length_ += static_cast<int>(taken);
  status_->message[length_] = '\0';
  return *this;
}

sentence &sentence::write(std::int64_t number) noexcept {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

} // namespace heed::runtime
