// Linear layers of a transformer with what follows them, and a block of multi-head attention: the kernels
// behind the speeds of layers. One thread or two, small and large.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, rows{"rows"}, tokens{"tokens"};

constexpr tensor layer(graph &g, const tensor &x, int from, int to) {
  return linear(x, g.weight("w", f32, {to, from}), g.weight("b", f32, {to}));
}

constexpr kernel up{"up",
                    [](graph &g) { g.output("y", layer(g, g.input("x", f32, {rows, 512}), 512, 2048)); }};
constexpr kernel up_relu{
    "up_relu", [](graph &g) { g.output("y", relu(layer(g, g.input("x", f32, {rows, 512}), 512, 2048))); }};
constexpr kernel up_gelu{
    "up_gelu", [](graph &g) { g.output("y", gelu(layer(g, g.input("x", f32, {rows, 512}), 512, 2048))); }};
constexpr kernel down{"down",
                      [](graph &g) { g.output("y", layer(g, g.input("x", f32, {rows, 2048}), 2048, 512)); }};
constexpr kernel down_residual{"down_residual", [](graph &g) {
                                 tensor y = layer(g, g.input("x", f32, {rows, 2048}), 2048, 512);
                                 g.output("y", g.input("residual", f32, {rows, 512}) + y);
                               }};
constexpr kernel small{"small",
                       [](graph &g) { g.output("y", layer(g, g.input("x", f32, {rows, 256}), 256, 256)); }};

/// Self-attention with four biased projections.
constexpr tensor block(graph &g, int width, int heads) {
  tensor x = g.input("x", f32, {batch, tokens, width});
  auto project = [&](const tensor &from, const char *weight, const char *bias) {
    return linear(from, g.weight(weight, f32, {width, width}), g.weight(bias, f32, {width}));
  };
  tensor q = split_heads(project(x, "w_q", "b_q"), heads), k = split_heads(project(x, "w_k", "b_k"), heads),
         v = split_heads(project(x, "w_v", "b_v"), heads);
  return project(merge_heads(attention(q, k, v)), "w_o", "b_o");
}
constexpr kernel block_256{"block_256", [](graph &g) { g.output("y", block(g, 256, 4)); }};
constexpr kernel block_512{"block_512", [](graph &g) { g.output("y", block(g, 512, 8)); }};

HEED_EXPORT(up);
HEED_EXPORT(up_relu);
HEED_EXPORT(up_gelu);
HEED_EXPORT(down);
HEED_EXPORT(down_residual);
HEED_EXPORT(small);
HEED_EXPORT(block_256);
HEED_EXPORT(block_512);
