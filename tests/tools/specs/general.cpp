// Specs in which there is no attention to find, or where it must not be fused: the general path.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, rows{"rows"}, columns{"columns"}, inner{"inner"}, heads{"heads"},
    queries{"queries"}, keys{"keys"};

constexpr kernel softmax_alone{
    "softmax_alone", [](graph &g) { g.output("y", softmax(g.input("x", f32, {batch, rows, columns}))); }};

constexpr kernel product{
    "product", [](graph &g) {
      g.output("y", matmul(g.input("a", f32, {batch, rows, inner}), g.input("b", f32, {inner, columns})));
    }};

constexpr kernel product_transposed{"product_transposed", [](graph &g) {
                                      tensor a = transpose(g.input("a", f32, {inner, rows}));
                                      tensor b = transpose(g.input("b", f32, {batch, columns, inner}));
                                      g.output("y", transpose(matmul(a, b)));
                                    }};

constexpr kernel layers{"layers", [](graph &g) {
                          tensor x = g.input("x", f32, {batch, rows, 33});
                          tensor h = linear(x, g.weight("w1", f32, {70, 33}), g.weight("b1", f32, {70}));
                          h = h * sigmoid(h);
                          g.output("y", linear(h, g.weight("w2", f32, {33, 70})) + x);
                        }};

constexpr kernel elements{"elements", [](graph &g) {
                            tensor x = g.input("x", f32, {batch, rows, columns}),
                                   y = g.input("y", f32, {rows, 1});
                            tensor s = sqrt(abs(x)) + exp(min(y, 2.0)) * tanh(x) - max(x, y) / 3.0;
                            g.output("z", where(x < y && !(x == 0.0), s, log(abs(y) + 1.0)));
                            g.output("less", x < y);
                          }};

constexpr kernel views{"views", [](graph &g) {
                         tensor x = g.input("x", f32, {batch, rows, 12});
                         g.output("heads", split_heads(x, 3));
                         g.output("turned", permute(x, {2, 0, 1}));
                         g.output("back", merge_heads(split_heads(x, 4)));
                       }};

/// The weights are a result too.
constexpr kernel weights_too{
    "weights_too", [](graph &g) {
      tensor q = g.input("q", f32, {batch, heads, queries, 16});
      tensor k = g.input("k", f32, {batch, heads, keys, 16});
      tensor v = g.input("v", f32, {batch, heads, keys, 16});
      tensor weights =
          softmax(mask(matmul(q, transpose(k)) / 4.0, [](index, index, index m, index n) { return n <= m; }));
      g.output("y", matmul(weights, v));
      g.output("weights", weights);
    }};

/// Weights that are changed before they meet the values.
constexpr kernel weights_changed{"weights_changed", [](graph &g) {
                                   tensor q = g.input("q", f32, {batch, heads, queries, 16});
                                   tensor k = g.input("k", f32, {batch, heads, keys, 16});
                                   tensor v = g.input("v", f32, {batch, heads, keys, 16});
                                   tensor weights = softmax(matmul(q, transpose(k)) / 4.0);
                                   g.output("y", matmul(weights * weights, v));
                                 }};

constexpr kernel mask_alone{
    "mask_alone", [](graph &g) {
      tensor s = g.input("s", f32, {batch, heads, queries, keys});
      tensor slope = g.input("slope", f32, {heads});
      tensor biased = score_mod(
          s, [&](value x, index, index h, index m, index n) { return x * 0.5 + slope(h) * (n - m); });
      g.output("y", softmax(mask(biased, [](index, index, index m, index n) { return n <= m; })));
    }};

HEED_EXPORT(softmax_alone);
HEED_EXPORT(product);
HEED_EXPORT(product_transposed);
HEED_EXPORT(layers);
HEED_EXPORT(elements);
HEED_EXPORT(views);
HEED_EXPORT(weights_too);
HEED_EXPORT(weights_changed);
HEED_EXPORT(mask_alone);
