#pragma once
/// \file
/// Shapes while a graph is built.

#include <heed/dsl/graph_data.hpp>

#include <cstdint>

namespace heed::detail {

/// Axes as indices of interned extents.
struct shape {
  int rank = 0;
  std::int16_t axes[spec::max_rank] = {};

  constexpr std::int16_t from_right(int i) const { return axes[rank - 1 - i]; }
  constexpr void push(std::int16_t extent) { axes[rank++] = extent; }
};

static_assert(spec::max_rank == 6, "the two functions below copy shapes of six axes");

/// Written out, since every statement of a loop counts in constant evaluation.
constexpr shape shape_of(const spec::node &node) {
  return {node.rank,
          {node.shape[0], node.shape[1], node.shape[2], node.shape[3], node.shape[4], node.shape[5]}};
}

constexpr void set_shape(spec::node &node, const shape &to) {
  node.rank = static_cast<std::uint8_t>(to.rank);
  node.shape[0] = to.axes[0], node.shape[1] = to.axes[1], node.shape[2] = to.axes[2];
  node.shape[3] = to.axes[3], node.shape[4] = to.axes[4], node.shape[5] = to.axes[5];
}

} // namespace heed::detail
