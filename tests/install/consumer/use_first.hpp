#pragma once
/// \file
/// Calls the kernel `first` on two tokens.

#include "check.h"
#include "first.h"

#include <string_view>

inline bool use_first() {
  const float x[8] = {1, 0, 0, 0, 0, 1, 0, 0};
  float y[8];
  if (heed::status status = heed_kernels::first({x, {1, 1, 2, 4}}, {y, {1, 1, 2, 4}}); !status) {
    puts(status.message());
    return false;
  }
  return nearly("y[0][0]", y[0], 1) && second_row_is_right(y);
}

/// A wrong extent must come back as a sentence that names the argument.
inline bool misuse_first() {
  const float x[8] = {};
  float y[8];
  const heed::status status = heed_kernels::first({x, {1, 1, 2, 4}}, {y, {1, 1, 1, 4}});
  return status.code() == HEED_INVALID_ARGUMENT && std::string_view(status.message()).starts_with("y:");
}
