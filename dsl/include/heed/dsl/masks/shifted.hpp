#pragma once
/// \file
/// shifted(function, offset): a mask or score function for queries that do not begin at token 0.

#include <heed/dsl/masks/captured.hpp>

#include <type_traits>

namespace heed {
namespace detail {

template <class function> struct shifted_function {
  function inner;
  batch_number offset;

  constexpr auto operator()(index b, index h, index q, index k) const
    requires std::is_invocable_v<const function &, index, index, index, index>
  {
    return inner(b, h, index(q + offset.at(b)), k);
  }
  constexpr auto operator()(value score, index b, index h, index q, index k) const
    requires std::is_invocable_v<const function &, value, index, index, index, index>
  {
    return inner(score, b, h, index(q + offset.at(b)), k);
  }
};

} // namespace detail

/// The function with q + offset in place of q: shifted(sliding_window(255, 0), g.scalar("past", i64)) with a
/// cache of `past` tokens. The offset is a number, an extent, a scalar argument or a tensor (batch).
/// Errors: a tensor of another kind.
template <class function> constexpr auto shifted(function inner, detail::batch_number offset) {
  return detail::shifted_function<function>{inner, offset.checked("shifted: offset")};
}

} // namespace heed
