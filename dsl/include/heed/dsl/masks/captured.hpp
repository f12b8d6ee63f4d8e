#pragma once
/// \file
/// What masks and score functions of the library capture: numbers per batch entry and numbers per token.

#include <heed/dsl/element.hpp>

#include <concepts>

namespace heed::detail {

/// A whole number that may differ between batch entries: a number, an extent, a scalar argument, or a tensor
/// (batch) of integers.
class batch_number {
public:
  template <std::integral number>
  constexpr batch_number(number value, location at = {}) : plain_(value, at), where_(at) {}
  constexpr batch_number(const extent &value, location at = {}) : plain_(value, at), where_(at) {}
  constexpr batch_number(const tensor &values, location at = {}) : values_(values), where_(at) {}

  /// Refuses tensors that hold something else. `name` is what the function calls the number.
  constexpr batch_number checked(const char *name) const {
    if (values_.owner() != nullptr && (values_.rank() > 1 || !is_integer(values_.type())))
      values_.owner()->fail(where_, name, ": it is a tensor ", values_.shape(), " of ", values_.type(),
                            ", a number, or integers of shape () or (batch), are needed");
    return *this;
  }

  constexpr scalar_operand at(const index &b) const {
    if (values_.owner() == nullptr)
      return plain_;
    return values_.rank() == 0 ? scalar_operand(values_({}, {}, {}, {}, {}, {}, where_), where_)
                               : scalar_operand(values_(b, {}, {}, {}, {}, {}, where_), where_);
  }

private:
  scalar_operand plain_;
  tensor values_;
  location where_;
};

/// Integers for every token, (tokens) or (batch, tokens).
class token_numbers {
public:
  constexpr token_numbers(const tensor &values, const char *name, location where)
      : values_(values), where_(where) {
    const int rank = values.rank();
    if (values.owner() != nullptr && ((rank != 1 && rank != 2) || !is_integer(values.type())))
      values.owner()->fail(where, name, ": they are a tensor ", values.shape(), " of ", values.type(),
                           ", integers of shape (tokens) or (batch, tokens) are needed");
  }

  constexpr scalar at(const index &b, const scalar &token) const {
    return values_.rank() == 1 ? values_(token, {}, {}, {}, {}, {}, where_)
                               : values_(b, token, {}, {}, {}, {}, where_);
  }

private:
  tensor values_;
  location where_;
};

} // namespace heed::detail
