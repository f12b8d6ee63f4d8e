//===- LevelKernels.h - Kernels that every CPU level must compute -*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_LEVELS_LEVELKERNELS_H
#define HEED_TESTS_CODEGEN_LEVELS_LEVELKERNELS_H

#include <heed/dsl.hpp>

namespace heed::levels {

inline constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"}, rows{"rows"},
    capacity{"capacity"};

constexpr void plain_attention(graph &g, int depth, dtype type = f32) {
  auto operand = [&](const char *name, extent tokens) {
    return g.input(name, type, {batch, heads, tokens, depth});
  };
  g.output("y", attention(operand("q", queries), operand("k", keys), operand("v", keys)));
}

/// The kernel whose speed is stated, and those with other tiles of outputs.
inline constexpr kernel attention_d64{"attention_d64", [](graph &g) { plain_attention(g, 64); }};
inline constexpr kernel attention_d80{"attention_d80", [](graph &g) { plain_attention(g, 80); }};
inline constexpr kernel attention_d96{"attention_d96", [](graph &g) { plain_attention(g, 96); }};

inline constexpr kernel causal_d20{
    "causal_d20", [](graph &g) {
      auto operand = [&](const char *name) { return g.input(name, f32, {batch, heads, queries, 20}); };
      g.output("y", attention(operand("q"), operand("k"), operand("v"), {.mask = causal()}));
    }};

/// One step of a decoder: keys and values go into the caches, the queries see all up to themselves.
inline constexpr kernel decode{
    "decode", [](graph &g) {
      auto input = [&](const char *name) { return g.input(name, f32, {batch, heads, rows, 64}); };
      auto cached = [&](const char *name, tensor rows, tensor position) {
        return append(g.state(name, f32, {batch, heads, capacity, 64}), rows, position, 2);
      };
      tensor position = g.scalar("position", i64);
      tensor all_keys = cached("k_cache", input("k"), position);
      tensor values = cached("v_cache", input("v"), position);
      auto seen = [=](index, index, index q, index k) { return k <= q + position(); };
      g.output("y", attention(input("q"), all_keys, values, {.mask = seen}));
    }};

inline constexpr kernel projected{"projected", [](graph &g) {
                                    tensor x = g.input("x", f32, {rows, 96}),
                                           w = g.weight("w", f32, {80, 96});
                                    g.output("y", gelu_tanh(linear(x, w, g.weight("b", f32, {80}))));
                                  }};

inline constexpr kernel linear_512{
    "linear_512",
    [](graph &g) { g.output("y", linear(g.input("x", f32, {rows, 512}), g.weight("w", f32, {512, 512}))); }};

inline constexpr kernel normed{"normed", [](graph &g) {
                                 tensor x = g.input("x", f32, {rows, 77});
                                 g.output("layer", layer_norm(x, g.weight("gain", f32, {77})));
                                 g.output("rms", rms_norm(x));
                                 g.output("weights", softmax(x));
                               }};

inline constexpr kernel in_double{
    "in_double", [](graph &g) {
      auto operand = [&](const char *name) { return g.input(name, f64, {heads, rows, 12}); };
      g.output("y", matmul(softmax(matmul(operand("q"), transpose(operand("k")))), operand("v")));
    }};

inline constexpr kernel bf16_d64{"bf16_d64", [](graph &g) { plain_attention(g, 64, bf16); }};
inline constexpr kernel bf16_d80{"bf16_d80", [](graph &g) { plain_attention(g, 80, bf16); }};
inline constexpr kernel bf16_d128{"bf16_d128", [](graph &g) { plain_attention(g, 128, bf16); }};
inline constexpr kernel f16_d64{"f16_d64", [](graph &g) { plain_attention(g, 64, f16); }};

/// Odd sizes, a mask, and what is returned beside the output.
inline constexpr kernel bf16_causal_d21{
    "bf16_causal_d21", [](graph &g) {
      auto operand = [&](const char *name) { return g.input(name, bf16, {batch, heads, queries, 21}); };
      tensor scores = matmul(operand("q"), transpose(operand("k"))) * 0.25;
      tensor seen = mask(scores, [](index, index, index q, index k) { return k <= q; });
      g.output("y", matmul(softmax(seen), operand("v")));
      g.output("lse", log_sum_exp(seen));
    }};

constexpr tensor half_linear(graph &g, dtype type, int inputs, int outputs) {
  return linear(g.input("x", type, {rows, inputs}), g.weight("w", type, {outputs, inputs}),
                g.weight("b", type, {outputs}));
}

inline constexpr kernel bf16_linear_512{"bf16_linear_512",
                                        [](graph &g) { g.output("y", half_linear(g, bf16, 512, 512)); }};
inline constexpr kernel bf16_linear_2048{"bf16_linear_2048",
                                         [](graph &g) { g.output("y", half_linear(g, bf16, 2048, 512)); }};
inline constexpr kernel bf16_linear_odd{
    "bf16_linear_odd", [](graph &g) { g.output("y", gelu_tanh(half_linear(g, bf16, 97, 80))); }};
inline constexpr kernel f16_linear_512{"f16_linear_512",
                                       [](graph &g) { g.output("y", half_linear(g, f16, 512, 512)); }};

} // namespace heed::levels

#endif // HEED_TESTS_CODEGEN_LEVELS_LEVELKERNELS_H
