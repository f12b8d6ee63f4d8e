#pragma once
/// \file
/// Text made in constant expressions: a bounded buffer to write a sentence in, and the form of it that can be
/// a template argument.

#include <cstddef>
#include <cstdint>

namespace heed::detail {

/// Order of two texts: negative, 0 or positive. g++ 12 has no constant strcmp of allocated memory.
constexpr int compare(const char *left, const char *right) {
  while (*left != 0 && *left == *right) {
    ++left;
    ++right;
  }
  return static_cast<unsigned char>(*left) - static_cast<unsigned char>(*right);
}

/// A sentence in the making. What exceeds the buffer is cut.
class text {
public:
  constexpr text &append(const char *characters) {
    for (; *characters != 0 && size_ < capacity; ++characters)
      characters_[size_++] = *characters;
    return *this;
  }

  constexpr text &append(std::int64_t number) {
    char digits[20] = {};
    int count = 0;
    // The magnitude is unsigned, so that the lowest number has one.
    std::uint64_t rest =
        number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    do
      digits[count++] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (number < 0)
      append("-");
    while (count > 0 && size_ < capacity)
      characters_[size_++] = digits[--count];
    return *this;
  }

  constexpr text &append(int number) { return append(static_cast<std::int64_t>(number)); }

  /// Whole numbers exactly, others with up to six decimals.
  constexpr text &append(double number) {
    if (number != number)
      return append("NaN");
    if (number < 0)
      return append("-").append(-number);
    if (number > 1e15)
      return append(number > 1.7976931348623157e308 ? "infinity" : "a number above 1e15");
    auto scaled = static_cast<std::int64_t>(
        (number - static_cast<double>(static_cast<std::int64_t>(number))) * 1e6 + 0.5);
    append(static_cast<std::int64_t>(number) + scaled / 1000000);
    scaled %= 1000000;
    if (scaled == 0)
      return *this;
    append(".");
    for (std::int64_t digit = 100000; scaled != 0; scaled %= digit, digit /= 10)
      append(scaled / digit);
    return *this;
  }

  constexpr bool empty() const { return size_ == 0; }
  constexpr std::size_t size() const { return size_; }
  constexpr const char *data() const { return characters_; }

private:
  static constexpr std::size_t capacity = 600;
  std::size_t size_ = 0;
  char characters_[capacity] = {};
};

/// Text of a fixed length as a structural type: both compilers print it when it is a template argument or,
/// where the compiler allows that, the message of an assertion.
template <std::size_t length> struct fixed_string {
  char characters[length + 1] = {};

  constexpr fixed_string() = default;
  constexpr explicit fixed_string(const text &from) {
    for (std::size_t i = 0; i < length; ++i)
      characters[i] = from.data()[i];
  }

  constexpr std::size_t size() const { return length; }
  constexpr const char *data() const { return characters; }
};

} // namespace heed::detail
