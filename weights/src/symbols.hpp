#pragma once
/// \file
/// Symbolic extents of a kernel and what the shapes of its weights say about them.

#include <heed/abi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::detail {

/// A weight's shape; null where it was not found.
struct found_shape {
  std::int32_t argument;
  const std::vector<std::int64_t> *shape;
};

/// Values of the symbols, and the argument that gave each.
class symbols {
public:
  /// Where weights contradict each other, the value that most of them have counts, so that the odd one is
  /// told to be wrong. Derived extents such as 2*d tell what no plain one does.
  symbols(const heed_program &program, std::span<const found_shape> shapes);

  /// Whether the shape can be that of the argument. Axes whose symbols are unknown fit any extent.
  bool fit(std::int32_t argument, const std::vector<std::int64_t> &shape) const;

  /// "(d,2*d)"
  std::string shape_text(std::int32_t argument) const;

  /// " as d is 64 in w_q": values of the argument's symbols that other arguments gave; empty without any.
  std::string origins(std::int32_t argument) const;

private:
  struct value {
    std::int64_t number;
    std::int32_t argument;
  };

  std::optional<std::int64_t> evaluate(const heed_extent &extent) const;
  bool learn(const heed_extent &extent, std::int64_t found, std::int32_t argument);
  const heed_extent &extent_of(std::int32_t argument, std::size_t axis) const;

  const heed_program &program_;
  std::vector<std::optional<value>> values_;
};

} // namespace heed::detail
