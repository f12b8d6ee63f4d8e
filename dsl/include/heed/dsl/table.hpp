#pragma once
/// \file
/// A growing array for constant expressions.

#include <cstddef>

namespace heed::detail {

/// std::vector would do, but costs clang's constant evaluation several times the steps, of which there are
/// only about a million in one evaluation.
template <class type> class table {
public:
  constexpr table() = default;
  table(const table &) = delete;
  table &operator=(const table &) = delete;
  constexpr ~table() { delete[] elements_; }

  constexpr void push_back(const type &element) {
    if (size_ == capacity_)
      grow();
    elements_[size_++] = element;
  }

  constexpr type &operator[](std::size_t i) { return elements_[i]; }
  constexpr const type &operator[](std::size_t i) const { return elements_[i]; }
  constexpr const type *begin() const { return elements_; }
  constexpr const type *end() const { return elements_ + size_; }
  constexpr std::size_t size() const { return size_; }

private:
  constexpr void grow() {
    capacity_ = capacity_ == 0 ? 32 : 4 * capacity_;
    type *const wider = new type[capacity_]();
    for (std::size_t i = 0; i < size_; ++i)
      wider[i] = elements_[i];
    delete[] elements_;
    elements_ = wider;
  }

  type *elements_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

} // namespace heed::detail
