// Operations along the last axis, of every type and layout, and elementwise functions in vectors.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, rows{"rows"}, columns{"columns"}, size{"size"};

constexpr kernel layer_norm_f32{"layer_norm_f32", [](graph &g) {
                                  tensor x = g.input("x", f32, {batch, rows, columns});
                                  tensor gain = g.weight("gain", f32, {columns});
                                  tensor bias = g.weight("bias", f32, {columns});
                                  g.output("both", layer_norm(x, gain, bias));
                                  g.output("scaled", layer_norm(x, gain, 1e-3));
                                  g.output("plain", layer_norm(x));
                                }};

constexpr kernel layer_norm_512{
    "layer_norm_512", [](graph &g) {
      tensor x = g.input("x", f32, {rows, 512});
      g.output("y", layer_norm(x, g.weight("gain", f32, {512}), g.weight("bias", f32, {512})));
    }};

constexpr kernel norm_f16{"norm_f16", [](graph &g) {
                            tensor x = g.input("x", f16, {rows, columns});
                            g.output("y", layer_norm(x, g.weight("gain", f16, {columns})));
                            g.output("z", rms_norm(x));
                          }};

constexpr kernel norm_bf16{"norm_bf16", [](graph &g) {
                             tensor x = g.input("x", bf16, {rows, columns});
                             g.output("y", rms_norm(x, g.weight("gain", bf16, {columns})));
                           }};

constexpr kernel norm_f64{"norm_f64", [](graph &g) {
                            tensor x = g.input("x", f64, {rows, columns});
                            tensor gain = g.weight("gain", f64, {columns});
                            g.output("y", layer_norm(x, gain, g.weight("bias", f64, {columns})));
                            g.output("z", rms_norm(x, gain));
                          }};

constexpr kernel norm_of_heads{"norm_of_heads", [](graph &g) {
                                 tensor x = g.input("x", f32, {batch, rows, 4 * size});
                                 tensor h = rms_norm(split_heads(x, 4), g.weight("gain", f32, {size}));
                                 g.output("y", merge_heads(h));
                               }};

constexpr kernel norm_of_columns{"norm_of_columns", [](graph &g) {
                                   tensor x = g.input("x", f32, {columns, rows});
                                   g.output("y", transpose(layer_norm(transpose(x))));
                                 }};

constexpr kernel reductions{"reductions", [](graph &g) {
                              tensor x = g.input("x", f32, {batch, rows, columns});
                              g.output("sum", sum(x));
                              g.output("mean", mean(x));
                              g.output("amax", amax(x));
                              g.output("argmax", argmax(x));
                              g.output("of_columns", sum(transpose(x)));
                            }};

constexpr kernel reductions_of_types{"reductions_of_types", [](graph &g) {
                                       tensor i = g.input("i", i32, {rows, columns});
                                       tensor l = g.input("l", i64, {rows, columns});
                                       tensor h = g.input("h", f16, {rows, columns});
                                       tensor d = g.input("d", f64, {rows, columns});
                                       g.output("sum_i", sum(i));
                                       g.output("amax_i", amax(i));
                                       g.output("argmax_i", argmax(i));
                                       g.output("sum_l", sum(l));
                                       g.output("argmax_l", argmax(l));
                                       g.output("sum_h", sum(h));
                                       g.output("amax_h", amax(h));
                                       g.output("sum_d", sum(d));
                                       g.output("argmax_d", argmax(d));
                                     }};

constexpr kernel activations{"activations", [](graph &g) {
                               tensor x = g.input("x", f32, {rows, columns});
                               g.output("gelu", gelu(x));
                               g.output("gelu_tanh", gelu_tanh(x));
                               g.output("silu", silu(x));
                               g.output("exp", exp(x));
                             }};

constexpr kernel activations_f64{"activations_f64", [](graph &g) {
                                   tensor x = g.input("x", f64, {rows, columns});
                                   g.output("gelu", gelu(x));
                                   g.output("silu", silu(x));
                                 }};

HEED_EXPORT(layer_norm_f32, layer_norm_512, norm_f16, norm_bf16, norm_f64, norm_of_heads, norm_of_columns);
HEED_EXPORT(reductions, reductions_of_types, activations, activations_f64);
