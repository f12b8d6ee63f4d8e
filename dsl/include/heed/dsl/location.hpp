#pragma once
/// \file
/// Where the user wrote something.

namespace heed {

/// File and line of a call. As a default argument it takes the caller's place, also in the implicit
/// conversion of an operator's operand; that is how a fault in `a + b` knows its line.
struct location {
  const char *file;
  int line;

  constexpr location(const char *in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : file(in_file), line(at_line) {}
};

} // namespace heed
