// Kernels whose code for devices is looked at: those whose speed is stated, and others of every kind.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"}, rows{"rows"};

constexpr void attend(graph &g, int depth, dtype type, const attention_options &options = {}) {
  auto operand = [&](const char *name, const extent &tokens) {
    return g.input(name, type, {batch, heads, tokens, depth});
  };
  g.output("y", attention(operand("q", queries), operand("k", keys), operand("v", keys), options));
}

constexpr kernel attention_d64{"attention_d64", [](graph &g) { attend(g, 64, f32); }};
constexpr kernel attention_d128{"attention_d128", [](graph &g) { attend(g, 128, f32); }};
constexpr kernel causal_d64{"causal_d64", [](graph &g) { attend(g, 64, f32, {.mask = causal()}); }};
constexpr kernel causal_d128{"causal_d128", [](graph &g) { attend(g, 128, f32, {.mask = causal()}); }};
constexpr kernel bf16_d64{"bf16_d64", [](graph &g) { attend(g, 64, bf16, {.mask = causal()}); }};

/// One token over a cache, with as many heads of keys and with fewer.
constexpr kernel decode_d64{"decode_d64", [](graph &g) {
                              auto cache = [&](const char *name) {
                                return g.input(name, f32, {batch, heads, keys, 64});
                              };
                              tensor q = g.input("q", f32, {batch, heads, 1, 64});
                              g.output("y", attention(q, cache("k"), cache("v")));
                            }};
constexpr kernel decode_grouped{"decode_grouped", [](graph &g) {
                                  auto cache = [&](const char *name) {
                                    return repeat_heads(g.input(name, bf16, {batch, 4, keys, 128}), 8);
                                  };
                                  tensor q = g.input("q", bf16, {batch, 32, 1, 128});
                                  g.output("y", attention(q, cache("k"), cache("v")));
                                }};

constexpr kernel linear_512{"linear_512", [](graph &g) {
                              tensor x = g.input("x", f32, {rows, 512});
                              g.output("y",
                                       linear(x, g.weight("w", f32, {512, 512}), g.weight("b", f32, {512})));
                            }};

/// A mask from memory, grouped heads, weights, statistics and dropout.
constexpr kernel everything{
    "everything", [](graph &g) {
      tensor q = g.input("q", f32, {batch, 4, queries, 48}), k = g.input("k", f32, {batch, 2, keys, 48}),
             v = g.input("v", f32, {batch, 2, keys, 40});
      tensor visible = g.input("visible", b8, {batch, 1, queries, keys});
      tensor scores = mask(matmul(q, transpose(repeat_heads(k, 2))) / 7,
                           [=](index b, index, index q, index k) { return visible(b, 0, q, k); });
      tensor weights = dropout(softmax(scores), g.scalar("p", f32), g.scalar("seed", i64));
      g.output("y", matmul(weights, repeat_heads(v, 2)));
      g.output("weights", weights);
      g.output("lse", log_sum_exp(scores));
    }};

constexpr kernel row_by_row{"row_by_row", [](graph &g) {
                              tensor x = g.input("x", f32, {rows, 77});
                              g.output("layer", layer_norm(x, g.weight("gain", f32, {77})));
                              g.output("rms", rms_norm(x));
                              g.output("weights", softmax(x));
                              g.output("largest", amax(x));
                              g.output("place", argmax(x));
                              g.output("sum", sum(x));
                              g.output("curved", gelu(x) * silu(x));
                            }};

HEED_EXPORT(attention_d64, attention_d128, causal_d64, causal_d128, bf16_d64, decode_d64, decode_grouped,
            linear_512, everything, row_by_row);
