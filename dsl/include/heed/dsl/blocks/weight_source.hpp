#pragma once
/// \file
/// Where the blocks get their weights: arguments of the kernel with a common prefix.

#include <heed/dsl/graph.hpp>
#include <heed/dsl/ops/select.hpp>

#include <initializer_list>

namespace heed::blocks {

/// Makes weights PREFIX_word: `{g, name("layers", 3)}` makes layers_3_w_q, which is layers.3.w_q in a file.
/// With .layers, every weight is packed along one more axis on the left; `layer(weights, i)` is then the
/// view of one layer.
struct weight_source {
  graph &g;
  name prefix;
  dtype type = f32;
  int layers = 0; ///< 0: not packed

  constexpr tensor operator()(const char *word, extent rows, location where) const {
    return layers == 0 ? g.weight({prefix, word}, type, {rows}, where)
                       : g.weight({prefix, word}, type, {layers, rows}, where);
  }
  constexpr tensor operator()(const char *word, extent rows, extent columns, location where) const {
    return layers == 0 ? g.weight({prefix, word}, type, {rows, columns}, where)
                       : g.weight({prefix, word}, type, {layers, rows, columns}, where);
  }
  /// The weights of a part: `source.of("self_attn")`.
  constexpr weight_source of(const char *part) const { return {g, {prefix, part}, type, layers}; }
};

/// Layer i of a packed weight; an empty tensor stays empty.
constexpr tensor layer(const tensor &packed, int i, location where = {}) {
  return packed.owner() == nullptr ? tensor() : select(packed, 0, i, where);
}

} // namespace heed::blocks
