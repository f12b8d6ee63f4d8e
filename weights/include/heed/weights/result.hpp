#pragma once
/// \file
/// A value, or the sentence that says why there is none. Nothing in this library throws across its interface.

#include <string>
#include <utility>
#include <variant>

namespace heed {

/// `<what>: <found>, <needed>; <what to write instead>`, a line for each mistake.
struct failure {
  std::string message;
};

template <class T> class [[nodiscard]] result {
public:
  result(T value) : content_(std::move(value)) {}
  result(failure error) : content_(std::move(error)) {}

  bool ok() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  /// Only where ok().
  T &operator*() & noexcept { return *std::get_if<0>(&content_); }
  const T &operator*() const & noexcept { return *std::get_if<0>(&content_); }
  T &&operator*() && noexcept { return std::move(*std::get_if<0>(&content_)); }
  T *operator->() noexcept { return std::get_if<0>(&content_); }
  const T *operator->() const noexcept { return std::get_if<0>(&content_); }

  /// Empty where ok().
  const char *message() const noexcept {
    const failure *error = std::get_if<1>(&content_);
    return error ? error->message.c_str() : "";
  }

private:
  std::variant<T, failure> content_;
};

} // namespace heed
