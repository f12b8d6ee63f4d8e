// The linear layers of a transformer's feed-forward part with what follows them.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent rows{"rows"};

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

HEED_EXPORT(up, up_relu, up_gelu, down, down_residual);
