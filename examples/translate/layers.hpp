#pragma once
/// \file
/// What the specs of this example share.

#include <heed/dsl.hpp>

using namespace heed;

constexpr extent batch{"batch"}, source{"source"}, target{"target"};
constexpr int layer_count = 2, width = 64, heads = 4, depth = width / heads, symbols = 63, positions = 48;
constexpr blocks::layer_options layer{.heads = heads, .width = width, .ff = 256};

// The row of every token · √width, plus the row of its position.
constexpr tensor embed(graph &g, const char *table, const tensor &pos, const tensor &ids,
                       const tensor &first = {}) {
  tensor rows = g.weight(table, f32, {symbols, width});
  return tabulate(g, f32, {batch, ids.size(1), width}, [&](index b, index s, index d) {
    const scalar at = first.owner() == nullptr ? scalar(s) : s + first();
    return rows(ids(b, s), d) * sqrt(width) + pos(at, d);
  });
}

// The encoder's output (batch, source, width).
constexpr tensor encoder(graph &g, const tensor &pos, const tensor &ids, const tensor &lengths) {
  tensor x = embed(g, "src_embed", pos, ids);
  for (int i = 0; i < layer_count; ++i) {
    const auto w = blocks::make_encoder_layer_weights({g, name("enc", i)}, layer);
    x = blocks::encoder_layer(x, w, layer, {.mask = padding(lengths)});
  }
  return x;
}

// A score for every symbol.
constexpr tensor symbol_scores(graph &g, const tensor &x) {
  return linear(x, g.weight("out_weight", f32, {symbols, width}), g.weight("out_bias", f32, {symbols}));
}
