// Every word of the DSL, and a deep stack, for both compilers under their default limits.
#include <heed/dsl.hpp>
using namespace heed;

namespace {

constexpr extent batch{"batch"}, tokens{"tokens"}, keys{"keys"};

constexpr kernel every_word{
    "every_word", [](graph &g) {
      tensor x = g.input("x", f32, {batch, tokens, 12});
      tensor y = g.input("y", f32, {batch, keys, 12});
      tensor w = g.weight("w", f32, {12, 12}), b = g.weight("b", f32, {12});
      tensor q = split_heads(linear(x, w, b), 3); // (b, 3, tokens, 4)
      tensor k = split_heads(linear(y, w), 3);    // (b, 3, keys, 4)
      tensor s = matmul(q, transpose(k)) / sqrt(4);
      s = -(1 + s * 2 - s);
      s = min(max(s, -8), 8);
      s = sqrt(exp(log(abs(s)))) + tanh(s) * sigmoid(s);
      tensor c = (s < 1 && s > -1) || (s <= 2 && s >= -2) || (s == 0 && !(s != 3));
      s = where(c, s, -infinity);
      s = mask(s, and_masks(or_masks(causal(), sliding_window(3, 3)), [](index b, index h, index, index k) {
                 return (k + h) % 2 == 0 || k - keys < -b / 2;
               }));
      tensor slope = g.weight("slope", f32, {3});
      s = score_mod(s, [&](value score, index, index h, index q, index k) {
        value far = min(abs(q - k), max(q, 100));
        value wave = sin(far * 0.5) + cos(score) + tanh(score) + sigmoid(score);
        return select(far > 1, score + slope[h] * far, exp(wave) * log(far + 1));
      });
      tensor p = g.scalar("p", f32), seed = g.scalar("seed", i64), offset = g.scalar("offset", i32);
      tensor sink = g.weight("sink", f32, {3}), table = g.input("table", f32, {3, 7});
      s = mask(s, [&](index, index, index q, index k) { return k <= q + offset(); });
      s = score_mod(
          s, [&](value score, index, index h, index q, index k) { return score + table(h, q - k + 3); });
      tensor weights =
          dropout(softmax(s, {.sink = sink}), p, seed) / append_axis(log_sum_exp(s, {.sink = sink}));
      g.output("nan", softmax(s, {.nan_for_empty = true}));
      g.output("last", tabulate(g, f32, {batch, 6, tokens},
                                [&](index b, index h, index i) { return weights(b, h / 2, i, i - i); }));
      tensor few = split_heads(linear(y, w), 1); // (b, 1, keys, 12)
      g.output("groups", repeat_heads(few, 6));
      tensor a = merge_heads(matmul(weights, k));
      g.output("context", a);
      g.output("swapped", permute(a, {2, 0, 1}));
      g.output("short_form", attention(q, k, k, {.scale = 0.25, .mask = causal()}));
    }};

constexpr kernel every_row_word{
    "every_row_word", [](graph &g) {
      constexpr extent capacity{"capacity"};
      tensor table = g.weight("table", f32, {100, 12}), ids = g.input("ids", i32, {1, tokens});
      tensor gain = g.weight("gain", f32, {12}), bias = g.weight("bias", f32, {12});
      tensor x = embedding(ids, table); // (1, tokens, 12)
      x = layer_norm(rms_norm(x, gain), gain, bias) + layer_norm(x, 1e-6) + rms_norm(x);
      x = relu(gelu(gelu_tanh(silu(erf(convert(convert(x, bf16), f32))))));
      auto [a, b, c] = chunk<3>(x, -1); // (1, tokens, 4) each
      tensor cache = g.state("cache", f32, {1, capacity, 4}), position = g.scalar("position", i64);
      tensor all = append(cache, a, position, 1); // (1, capacity, 4)
      g.output("scores", matmul(b, transpose(all)));
      g.output("parts",
               slice(c, 2, 1, 2) + append_axis(sum(x)) * append_axis(mean(c)) - append_axis(amax(b)));
      g.output("next", argmax(select(x, 1, -1)));
      g.output("row", drop_axis(x, 0));
      tensor offsets = g.input("offsets", i32, {extent("ends")}), q = split_heads(x, 3);
      g.output("packed", attention(q, q, q, {.mask = packed_sequences(offsets, tokens, causal())}));
      g.output("positions", packed_positions(offsets, tokens));
      g.output("curve", tabulate(g, f32, {tokens}, [](index i) { return erf(i * 0.5); }));
    }};

constexpr tensor project(graph &g, tensor x, int layer, const char *what, int out, int in) {
  return linear(x, g.weight(name("layer", layer, what), f32, {out, in}),
                g.weight(name("layer", layer, what, "bias"), f32, {out}));
}

constexpr tensor layer(graph &g, tensor x, int i) {
  constexpr int width = 512, heads = 8;
  tensor q = split_heads(project(g, x, i, "query", width, width), heads);
  tensor k = split_heads(project(g, x, i, "key", width, width), heads);
  tensor v = split_heads(project(g, x, i, "value", width, width), heads);
  tensor a = attention(q, k, v, {.mask = and_masks(causal(), sliding_window(255, 0))});
  x = x + project(g, merge_heads(a), i, "out", width, width);
  return x + project(g, max(project(g, x, i, "up", 4 * width, width), 0), i, "down", width, 4 * width);
}

constexpr kernel deep_stack{"deep_stack", [](graph &g) {
                              tensor x = g.input("x", f32, {batch, tokens, 512});
                              for (int i = 0; i < 24; ++i)
                                x = layer(g, x, i);
                              g.output("y", x);
                            }};

} // namespace

HEED_EXPORT(every_word);
HEED_EXPORT(every_row_word);
HEED_EXPORT(deep_stack);
