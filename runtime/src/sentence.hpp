#pragma once
/// \file
/// One failure sentence, written straight into the caller's status.

#include "heed/abi.h"

#include <concepts>
#include <cstdint>
#include <string_view>

namespace heed::runtime {

/// Appends to the message of a status, cut at its end when too long. Without a status the text is dropped.
/// Ends as the code, so that a check reads `return fail(status, HEED_INVALID_ARGUMENT) << … ;`
class sentence {
public:
  sentence(heed_status *status, heed_code code) noexcept;

  sentence &operator<<(std::string_view text) noexcept;
  template <std::integral Number> sentence &operator<<(Number number) noexcept {
    return write(static_cast<std::int64_t>(number));
  }
  operator heed_code() const noexcept { return code_; }

private:
  sentence &write(std::int64_t number) noexcept;

  heed_status *status_;
  heed_code code_;
  int length_ = 0;
};

inline sentence fail(heed_status *status, heed_code code) noexcept { return {status, code}; }

} // namespace heed::runtime
