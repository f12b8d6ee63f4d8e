// The attention block of a BERT layer: self-attention over the real tokens, output projection, residual,
// layer_norm.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, tokens{"tokens"};
constexpr int width = 384, heads = 12, depth = width / heads;

// A projection with bias; its parameters are named as the model's files name them.
constexpr tensor project(graph &g, tensor x, const char *weight, const char *bias) {
  return linear(x, g.weight(weight, f32, {width, width}), g.weight(bias, f32, {width}));
}

constexpr kernel attention_block{
    "attention_block", [](graph &g) {
      tensor x = g.input("x", f32, {batch, tokens, width});
      tensor real = g.input("real", b8, {batch, 1, 1, tokens}); // false: padding, which no token sees

      tensor q = split_heads(project(g, x, "q_weight", "q_bias"), heads); // (b, h, s, d)
      tensor k = split_heads(project(g, x, "k_weight", "k_bias"), heads);
      tensor v = split_heads(project(g, x, "v_weight", "v_bias"), heads);

      tensor scores = matmul(q, transpose(k)) / sqrt(depth);          // (b, h, s, s)
      tensor probabilities = softmax(where(real, scores, -infinity)); // (b, h, s, s)
      tensor context = merge_heads(matmul(probabilities, v));         // (b, s, width)
      tensor attended = project(g, context, "o_weight", "o_bias");    // (b, s, width)
      tensor gain = g.weight("ln_weight", f32, {width}), bias = g.weight("ln_bias", f32, {width});
      g.output("probabilities", probabilities);
      g.output("context", context);
      g.output("attended", attended);
      g.output("y", layer_norm(x + attended, gain, bias, 1e-12));
    }};
HEED_EXPORT(attention_block);
