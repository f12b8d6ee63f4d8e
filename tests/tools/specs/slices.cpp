// Parts of tensors that are read where they lie, and those that have to be copied.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, tokens{"tokens"}, keys{"keys"}, d{"d"}, rows{"rows"};

/// Queries, keys and values of one projection.
constexpr kernel merged_projection{
    "merged_projection", [](graph &g) {
      tensor x = g.input("x", f32, {batch, tokens, 32});
      auto parts = chunk<3>(
          linear(x, g.weight("in_proj_weight", f32, {96, 32}), g.weight("in_proj_bias", f32, {96})), -1);
      tensor q = split_heads(parts[0], 4), k = split_heads(parts[1], 4), v = split_heads(parts[2], 4);
      g.output("y", merge_heads(matmul(softmax(matmul(q, transpose(k)) * 0.35), v)));
    }};

/// Cross-attention with one stacked weight.
constexpr kernel stacked_weight{"stacked_weight", [](graph &g) {
                                  tensor x = g.input("x", f32, {batch, tokens, d}),
                                         memory = g.input("memory", f32, {batch, keys, d});
                                  auto w = chunk<3>(g.weight("in_proj_weight", f32, {3 * d, d}), 0);
                                  auto b = chunk<3>(g.weight("in_proj_bias", f32, {3 * d}), 0);
                                  g.output("q", linear(x, w[0], b[0]));
                                  g.output("k", linear(memory, w[1], b[1]));
                                  g.output("v", linear(memory, w[2], b[2]));
                                }};

/// Weights of all layers in one tensor.
constexpr kernel packed_layers{"packed_layers", [](graph &g) {
                                 tensor x = g.input("x", f32, {tokens, 24}),
                                        w = g.weight("w", f32, {3, 24, 24}), b = g.weight("b", f32, {3, 24});
                                 for (int layer = 0; layer < 3; ++layer)
                                   x = x + tanh(linear(x, select(w, 0, layer), select(b, 0, layer)));
                                 g.output("y", x);
                               }};

/// Slices of everything that comes out of an operation, and slices that are outputs.
constexpr kernel parts{"parts", [](graph &g) {
                         tensor x = g.input("x", f32, {batch, 2 * rows, 12});
                         tensor half = slice(x, 1, rows, rows);
                         g.output("half", half);
                         g.output("middle", softmax(slice(half, -1, 3, 6)));
                         tensor heads = split_heads(x, 4);
                         g.output("two_heads", merge_heads(slice(heads, 1, 1, 2)) * 2.0);
                         g.output("narrow_heads", merge_heads(slice(heads, -1, 1, 2)));
                         g.output("turned", select(permute(x, {2, 0, 1}), 0, 7));
                       }};

HEED_EXPORT(merged_projection);
HEED_EXPORT(stacked_weight);
HEED_EXPORT(packed_layers);
HEED_EXPORT(parts);
