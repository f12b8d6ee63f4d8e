#pragma once
/// \file
/// A driver's library, found when it is first needed: programs without devices need none.

namespace heed::runtime::device {

/// Stays open once it is.
class library {
public:
  explicit library(const char *name) noexcept;
  explicit operator bool() const noexcept { return handle_ != nullptr; }

  /// Whether the library has the function.
  template <class Function> bool find(const char *name, Function *&function) const noexcept {
    function = reinterpret_cast<Function *>(address(name));
    return function != nullptr;
  }

private:
  void *address(const char *name) const noexcept;

  void *handle_;
};

} // namespace heed::runtime::device
