#pragma once
/// \file
/// The border at which exceptions end.

#include <heed/weights/result.hpp>

#include <exception>
#include <new>

namespace heed::detail {

/// function(), or a failure that begins with `what` where memory runs out. Only the standard library's
/// containers throw in this library.
template <class Function> auto guarded(const char *what, Function function) noexcept -> decltype(function()) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return failure{std::string(what) + ": memory is exhausted"};
  } catch (const std::exception &error) {
    return failure{std::string(what) + ": " + error.what()};
  }
}

} // namespace heed::detail
