#include "formulas.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::testing;
using blocks::activation, blocks::norm_kind, blocks::norm_order;

namespace {

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
const std::map<std::string, std::int64_t> sizes = {{"batch", 2}, {"queries", 3}, {"keys", 5}};

template <activation act, norm_order order, norm_kind norm> constexpr void encoder(graph &g) {
  const blocks::layer_options options{
      .heads = 2, .width = 6, .ff = 10, .act = act, .order = order, .norm = norm};
  const auto w = blocks::make_encoder_layer_weights({g, "layer"}, options);
  g.output("y", blocks::encoder_layer(g.input("x", f32, {batch, queries, 6}), w, options));
}
constexpr kernel post_relu{
    "post_relu", [](graph &g) { encoder<activation::relu, norm_order::post, norm_kind::layer_norm>(g); }};
constexpr kernel post_gelu{
    "post_gelu", [](graph &g) { encoder<activation::gelu, norm_order::post, norm_kind::layer_norm>(g); }};
constexpr kernel pre_gelu_tanh{"pre_gelu_tanh", [](graph &g) {
                                 encoder<activation::gelu_tanh, norm_order::pre, norm_kind::layer_norm>(g);
                               }};
constexpr kernel pre_silu{
    "pre_silu", [](graph &g) { encoder<activation::silu, norm_order::pre, norm_kind::rms_norm>(g); }};
constexpr kernel pre_swiglu{
    "pre_swiglu", [](graph &g) { encoder<activation::swiglu, norm_order::pre, norm_kind::rms_norm>(g); }};

struct form {
  const spec::graph &kernel;
  double (*act)(double);
  bool gated, post, centered;
};

double relu(double x) { return std::fmax(x, 0); }
double gelu(double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); }
double gelu_tanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}
double silu(double x) { return x / (1 + std::exp(-x)); }

array normalized(const form &of, const array &x, const formulas::arguments &with, const std::string &norm) {
  return of.centered ? formulas::layer_norm(x, with, norm) : formulas::rms_norm(x, with, norm);
}

template <class function>
array residual(const form &of, const array &x, const formulas::arguments &with, const std::string &norm,
               const function &part) {
  if (of.post)
    return normalized(of, formulas::add(x, part(x)), with, norm);
  return formulas::add(x, part(normalized(of, x, with, norm)));
}

array feed_forward(const form &of, const array &x, const formulas::arguments &with) {
  array inner = formulas::linear(x, with, "layer_linear1_weight", "layer_linear1_bias");
  if (of.gated)
    inner = formulas::product(
        formulas::mapped(formulas::linear(x, with, "layer_gate_weight", "layer_gate_bias"), of.act), inner);
  else
    inner = formulas::mapped(inner, of.act);
  return formulas::linear(inner, with, "layer_linear2_weight", "layer_linear2_bias");
}

constexpr blocks::layer_options of_decoder{.heads = 2, .width = 6, .ff = 10};

constexpr kernel decoder{"decoder", [](graph &g) {
                           const auto w = blocks::make_decoder_layer_weights({g, "layer"}, of_decoder);
                           const blocks::decoded y = blocks::decoder_layer(
                               g.input("x", f32, {batch, queries, 6}),
                               g.input("memory", f32, {batch, keys, 6}), w, of_decoder, {.mask = causal()},
                               {.mask = padding(g.input("lengths", i32, {batch}))});
                           g.output("y", y.output);
                         }};

template <bool packed> constexpr void stack(graph &g) {
  tensor x = g.input("x", f32, {batch, queries, 6}), memory = g.input("memory", f32, {batch, keys, 6});
  blocks::decoder_layer_weights all;
  if (packed)
    all = blocks::make_decoder_layer_weights({g, "layers", f32, 2}, of_decoder);
  for (int i = 0; i < 2; ++i)
    x = blocks::decoder_layer(x, memory,
                              packed ? blocks::layer(all, i)
                                     : blocks::make_decoder_layer_weights({g, name("layers", i)}, of_decoder),
                              of_decoder)
            .output;
  g.output("y", x);
}
constexpr kernel named_layers{"named_layers", [](graph &g) { stack<false>(g); }};
constexpr kernel packed_layers{"packed_layers", [](graph &g) { stack<true>(g); }};

} // namespace

TEST_CASE("encoder_layer in every order, activation and normalisation") {
  const form forms[] = {{post_relu, relu, false, true, true},
                        {post_gelu, gelu, false, true, true},
                        {pre_gelu_tanh, gelu_tanh, false, false, true},
                        {pre_silu, silu, false, false, false},
                        {pre_swiglu, silu, true, false, false}};
  for (const form &of : forms) {
    INFO(of.kernel.name);
    const formulas::arguments with = formulas::completed(of.kernel, {}, sizes);
    const array attended = residual(of, with.at("x"), with, "layer_norm1", [&](const array &x) {
      return formulas::multi_head(x, x, with, "layer_self_attn", 2, 2, nullptr);
    });
    const array expected = residual(of, attended, with, "layer_norm2",
                                    [&](const array &x) { return feed_forward(of, x, with); });
    CHECK(formulas::largest_difference(evaluate(of.kernel, with, sizes), expected) < 1e-11);
  }
}

TEST_CASE("decoder_layer looks back, then across") {
  const form of{decoder, relu, false, true, true};
  array lengths({2});
  lengths.elements = {5, 2};
  const formulas::arguments with = formulas::completed(decoder, {{"lengths", lengths}}, sizes);
  const array back = residual(of, with.at("x"), with, "layer_norm1", [&](const array &x) {
    return formulas::multi_head(x, x, with, "layer_self_attn", 2, 2,
                                [](std::int64_t, std::int64_t q, std::int64_t k) { return k <= q; });
  });
  const array across = residual(of, back, with, "layer_norm2", [&](const array &x) {
    return formulas::multi_head(x, with.at("memory"), with, "layer_cross_attn", 2, 2,
                                [&](std::int64_t b, std::int64_t, std::int64_t k) {
                                  return static_cast<double>(k) < lengths.at({b});
                                });
  });
  const array expected =
      residual(of, across, with, "layer_norm3", [&](const array &x) { return feed_forward(of, x, with); });
  CHECK(formulas::largest_difference(evaluate(decoder, with, sizes), expected) < 1e-11);
}

TEST_CASE("layers packed along an axis are layers with names of their own") {
  const formulas::arguments of_packed = formulas::completed(packed_layers, {}, sizes);
  formulas::arguments of_named = of_packed;
  for (const auto &[word, all] : of_packed)
    if (word.rfind("layers_", 0) == 0)
      for (std::int64_t i = 0; i < 2; ++i) {
        const std::vector<std::int64_t> shape(all.shape.begin() + 1, all.shape.end());
        of_named["layers_" + std::to_string(i) + word.substr(6)] =
            filled(shape, [&, &whole = all](std::vector<std::int64_t> at) {
              at.insert(at.begin(), i);
              return whole.at(at);
            });
      }
  CHECK(formulas::largest_difference(evaluate(packed_layers, of_packed, sizes),
                                     evaluate(named_layers, of_named, sizes)) == 0);
}
