// TransformerDecoderLayer(d_model, num_heads, ff_dim, dropout) -> (x, cross-attention weights), and layers of
// encoders and decoders in every order, activation and normalisation; stacks by a loop.
#include <heed/dsl.hpp>
using namespace heed;
using blocks::activation, blocks::norm_kind, blocks::norm_order;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
constexpr int width = 24;

constexpr blocks::layer_options options_of(activation act, norm_order order, norm_kind norm) {
  return {.heads = 3, .width = width, .ff = 40, .act = act, .order = order, .norm = norm};
}

constexpr kernel decoder_layer{
    "decoder_layer", [](graph &g) {
      tensor x = g.input("x", f32, {batch, queries, width});
      tensor encoder_output = g.input("encoder_output", f32, {batch, keys, width});
      tensor src_mask = g.input("src_mask", b8, {batch, 1, 1, keys});
      tensor tgt_mask = g.input("tgt_mask", b8, {1, 1, queries, queries});
      blocks::layer_options options = options_of(activation::relu, norm_order::post, norm_kind::layer_norm);
      options.dropout = {g.scalar("p", f32), g.scalar("seed", i64)};
      const auto w = blocks::make_decoder_layer_weights({g, "layer"}, options);
      const blocks::decoded y = blocks::decoder_layer(
          x, encoder_output, w, options, {.mask = masked_fill{tgt_mask, -1e9}, .dropout = options.dropout},
          {.mask = masked_fill{src_mask, -1e9}, .dropout = options.dropout});
      g.output("y", y.output);
      g.output("self_weights", y.self_weights);
      g.output("cross_weights", y.cross_weights);
    }};

template <activation act, norm_order order, norm_kind norm> constexpr void encoder(graph &g) {
  constexpr blocks::layer_options options = options_of(act, order, norm);
  const auto w = blocks::make_encoder_layer_weights({g, "layer"}, options);
  tensor lengths = g.input("lengths", i32, {batch});
  g.output("y", blocks::encoder_layer(g.input("x", f32, {batch, queries, width}), w, options,
                                      {.mask = padding(lengths)}));
}
constexpr kernel post_gelu{
    "post_gelu", [](graph &g) { encoder<activation::gelu, norm_order::post, norm_kind::layer_norm>(g); }};
constexpr kernel pre_gelu_tanh{"pre_gelu_tanh", [](graph &g) {
                                 encoder<activation::gelu_tanh, norm_order::pre, norm_kind::layer_norm>(g);
                               }};
constexpr kernel pre_swiglu{
    "pre_swiglu", [](graph &g) { encoder<activation::swiglu, norm_order::pre, norm_kind::rms_norm>(g); }};
constexpr kernel post_silu{
    "post_silu", [](graph &g) { encoder<activation::silu, norm_order::post, norm_kind::rms_norm>(g); }};

template <bool packed> constexpr void stack(graph &g) {
  const blocks::layer_options options = options_of(activation::relu, norm_order::pre, norm_kind::layer_norm);
  tensor x = g.input("x", f32, {batch, queries, width}),
         memory = g.input("memory", f32, {batch, keys, width});
  blocks::decoder_layer_weights all;
  if (packed)
    all = blocks::make_decoder_layer_weights({g, "layers", f32, 3}, options);
  for (int i = 0; i < 3; ++i) {
    const auto w =
        packed ? blocks::layer(all, i) : blocks::make_decoder_layer_weights({g, name("layers", i)}, options);
    x = blocks::decoder_layer(x, memory, w, options, {.mask = causal()}).output;
  }
  g.output("y", layer_norm(x, g.weight("norm_weight", f32, {width}), g.weight("norm_bias", f32, {width})));
}
constexpr kernel named_stack{"named_stack", [](graph &g) { stack<false>(g); }};
constexpr kernel packed_stack{"packed_stack", [](graph &g) { stack<true>(g); }};

HEED_EXPORT(decoder_layer, post_gelu, pre_gelu_tanh, pre_swiglu, post_silu, named_stack, packed_stack);
