#pragma once
/// \file
/// The call that generated headers are made of.

#include <heed/abi.h>
#include <heed/options.hpp>
#include <heed/status.hpp>

#include <cstddef>

namespace heed {

/// Runs a kernel. The views are those of its arguments, in order; there must be program.argument_count of
/// them.
template <std::size_t N>
status call(const heed_program &program, const heed_view (&arguments)[N],
            const options &options = {}) noexcept {
  status result;
  const heed_options c_options = options;
  heed_call(&program, arguments, &c_options, result.c_status());
  return result;
}

} // namespace heed
