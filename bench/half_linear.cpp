/// Linear layers and the multi-head block of 16-bit floats, of which those of f32 are in examples.
#include <heed/dsl.hpp>
using namespace heed;

namespace {

constexpr extent batch{"batch"}, queries{"queries"}, rows{"rows"};

template <dtype type> constexpr void linear_512(graph &g) {
  tensor x = g.input("x", type, {rows, 512});
  g.output("y", linear(x, g.weight("weight", type, {512, 512}), g.weight("bias", type, {512})));
}

} // namespace

constexpr kernel bf16_linear_512{"bf16_linear_512", [](graph &g) { linear_512<bf16>(g); }};
constexpr kernel f16_linear_512{"f16_linear_512", [](graph &g) { linear_512<f16>(g); }};
constexpr kernel bf16_multi_head_512{"bf16_multi_head_512", [](graph &g) {
                                       tensor x = g.input("x", bf16, {batch, queries, 512});
                                       const auto w = blocks::make_multi_head_weights(
                                           {g, "attn", bf16}, {.heads = 8, .width = 512});
                                       g.output("y", blocks::multi_head_attention(x, w).output);
                                     }};

HEED_EXPORT(bf16_linear_512, f16_linear_512, bf16_multi_head_512);
