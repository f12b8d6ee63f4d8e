#pragma once
/// \file
/// Names of arguments. They become parameters of a C function, so they are C identifiers.

#include <heed/dsl/text.hpp>

#include <concepts>

namespace heed {
namespace detail {
/// Not constexpr, so that a constant expression which comes here is an error that quotes the name.
inline void name_has_nine_parts_eight_are_possible() {}
} // namespace detail

/// The name of an input, weight or output: a literal, or parts joined by underscores, so that a loop can make
/// names: `name("layer", 3, "w_query")` is layer_3_w_query; `name(prefix, "w_query")` goes on from a name. Up
/// to eight parts.
class name {
public:
  static constexpr int most_parts = 8;

  struct part {
    const char *characters = nullptr; ///< null: the part is `number`
    long long number = 0;

    constexpr part() = default;
    constexpr part(const char *text) : characters(text) {}
    template <std::integral integer> constexpr part(integer value) : number(static_cast<long long>(value)) {}
  };

  constexpr name(const char *text) : count_(1), parts_{text} {}

  template <std::convertible_to<part>... more>
    requires(sizeof...(more) >= 1 && sizeof...(more) < most_parts)
  constexpr name(part first, more... others) : count_(1 + sizeof...(more)), parts_{first, others...} {}

  constexpr name(const name &prefix, part last) : name(prefix) {
    if (count_ == most_parts)
      detail::name_has_nine_parts_eight_are_possible();
    else
      parts_[count_++] = last;
  }

  constexpr int part_count() const { return count_; }
  constexpr const part &at(int i) const { return parts_[i]; }

private:
  int count_;
  part parts_[most_parts] = {};
};

namespace detail {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

constexpr bool is_word_character(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

inline constexpr std::size_t longest_keyword = sizeof("reinterpret_cast") - 1;

/// Words that no parameter of a C or C++ function can be called; sorted.
inline constexpr const char *keywords[] = {"alignas",
                                           "alignof",
                                           "and",
                                           "and_eq",
                                           "asm",
                                           "auto",
                                           "bitand",
                                           "bitor",
                                           "bool",
                                           "break",
                                           "case",
                                           "catch",
                                           "char",
                                           "char16_t",
                                           "char32_t",
                                           "char8_t",
                                           "class",
                                           "co_await",
                                           "co_return",
                                           "co_yield",
                                           "compl",
                                           "concept",
                                           "const",
                                           "const_cast",
                                           "consteval",
                                           "constexpr",
                                           "constinit",
                                           "continue",
                                           "decltype",
                                           "default",
                                           "delete",
                                           "do",
                                           "double",
                                           "dynamic_cast",
                                           "else",
                                           "enum",
                                           "explicit",
                                           "export",
                                           "extern",
                                           "false",
                                           "float",
                                           "for",
                                           "friend",
                                           "goto",
                                           "if",
                                           "inline",
                                           "int",
                                           "long",
                                           "mutable",
                                           "namespace",
                                           "new",
                                           "noexcept",
                                           "not",
                                           "not_eq",
                                           "nullptr",
                                           "operator",
                                           "or",
                                           "or_eq",
                                           "private",
                                           "protected",
                                           "public",
                                           "register",
                                           "reinterpret_cast",
                                           "requires",
                                           "restrict",
                                           "return",
                                           "short",
                                           "signed",
                                           "sizeof",
                                           "static",
                                           "static_assert",
                                           "static_cast",
                                           "struct",
                                           "switch",
                                           "template",
                                           "this",
                                           "thread_local",
                                           "throw",
                                           "true",
                                           "try",
                                           "typedef",
                                           "typeid",
                                           "typename",
                                           "union",
                                           "unsigned",
                                           "using",
                                           "virtual",
                                           "void",
                                           "volatile",
                                           "wchar_t",
                                           "while",
                                           "xor",
                                           "xor_eq"};

constexpr bool is_keyword(const char *word) {
  int low = 0, high = static_cast<int>(sizeof(keywords) / sizeof(*keywords));
  while (low < high) {
    const int middle = (low + high) / 2;
    const int order = compare(word, keywords[middle]);
    if (order == 0)
      return true;
    (order < 0 ? high : low) = order < 0 ? middle : middle + 1;
  }
  return false;
}

constexpr bool is_identifier(const char *word) {
  if (!is_letter(*word) || is_keyword(word))
    return false;
  for (; *word != 0; ++word)
    if (!is_word_character(*word))
      return false;
  return true;
}

} // namespace detail
} // namespace heed
