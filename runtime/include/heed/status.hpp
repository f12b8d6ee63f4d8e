#pragma once
/// \file
/// How a call ended.

#include <heed/abi.h>

#include <string_view>

namespace heed {

/// True when the call did its work; else `message()` is a sentence that names the argument, what was found,
/// what is needed, and what to pass instead.
class [[nodiscard]] status {
public:
  status() noexcept { clear(); }

  bool ok() const noexcept { return value_.code == HEED_OK; }
  explicit operator bool() const noexcept { return ok(); }
  heed_code code() const noexcept { return static_cast<heed_code>(value_.code); }
  const char *message() const noexcept { return value_.message; }

  /// For functions of the C interface.
  heed_status *c_status() noexcept { return &value_; }

private:
  // A success leaves the 240 bytes of the message alone, but for an end.
  void clear() noexcept {
    value_.code = HEED_OK;
    value_.message[0] = '\0';
  }

  heed_status value_;
};

} // namespace heed
