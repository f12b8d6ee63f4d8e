// The attention of a trained sentence encoder, used as cross-attention: one sentence attends over another.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
constexpr int width = 384, heads = 12, depth = width / heads;

// A projection with bias; its parameters are named after what it yields.
constexpr tensor project(graph &g, tensor x, const char *weight, const char *bias) {
  return linear(x, g.weight(weight, f32, {width, width}), g.weight(bias, f32, {width}));
}

constexpr tensor attention_weights(graph &g, tensor x, tensor context) {
  tensor q = split_heads(project(g, x, "w_query", "b_query"), heads);   // (b, h, q, d)
  tensor k = split_heads(project(g, context, "w_key", "b_key"), heads); // (b, h, k, d)
  return softmax(matmul(q, transpose(k)) / sqrt(depth));                // (b, h, q, k)
}

constexpr kernel sentence_attention{"sentence_attention", [](graph &g) {
                                      tensor x = g.input("x", f32, {batch, queries, width});
                                      tensor context = g.input("context", f32, {batch, keys, width});
                                      tensor weights = attention_weights(g, x, context);
                                      tensor v =
                                          split_heads(project(g, context, "w_value", "b_value"), heads);
                                      tensor attended = merge_heads(matmul(weights, v)); // (b, q, width)
                                      g.output("attended", attended);
                                      g.output("y", project(g, attended, "w_out", "b_out"));
                                    }};

// What each query looks at, head by head.
constexpr kernel sentence_weights{"sentence_weights", [](graph &g) {
                                    tensor x = g.input("x", f32, {batch, queries, width});
                                    tensor context = g.input("context", f32, {batch, keys, width});
                                    g.output("weights", attention_weights(g, x, context));
                                  }};

HEED_EXPORT(sentence_attention);
HEED_EXPORT(sentence_weights);
