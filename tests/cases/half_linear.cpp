// Linear layers of 16-bit floats in every layout, against the evaluator: mixes of types, sizes that leave
// half a pair, heads, views that begin at any element, epilogues whose operands have types of their own.
#include "Kernels.h"
#include "Verify/VerifyCase.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>
#include <stdexcept>

using namespace heed;
using heed::tests::Array;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

constexpr extent batch{"batch"}, rows{"rows"}, wide{"wide"}, narrow{"narrow"};

template <dtype x, dtype w, dtype b> constexpr auto projected(const char *name) {
  return kernel{name, [](graph &g) {
                  g.output("y", linear(g.input("x", x, {batch, rows, wide}), g.weight("w", w, {narrow, wide}),
                                       g.weight("b", b, {narrow})));
                }};
}
constexpr auto all_bf16 = projected<bf16, bf16, bf16>("all_bf16");
constexpr auto all_f16 = projected<f16, f16, f16>("all_f16");
constexpr auto bf16_f32_bias = projected<bf16, bf16, f32>("bf16_f32_bias");
constexpr auto f32_by_bf16 = projected<f32, bf16, f32>("f32_by_bf16");
constexpr auto f16_by_bf16 = projected<f16, bf16, f16>("f16_by_bf16");
constexpr auto bf16_by_f32 = projected<bf16, f32, bf16>("bf16_by_f32");

/// Heads of 10 columns, written heads first.
template <dtype type> constexpr auto heads(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor x = g.input("x", type, {batch, rows, wide});
                  tensor w = g.weight("w", type, {30, wide}), b = g.weight("b", f32, {30});
                  g.output("y", split_heads(linear(x, w, b), 3));
                }};
}
constexpr auto heads_bf16 = heads<bf16>("heads_bf16");
constexpr auto heads_f16 = heads<f16>("heads_f16");

/// Rows of x and of w that begin at odd elements, and a residual wider than the layer.
constexpr kernel sliced{"sliced", [](graph &g) {
                          tensor x = slice(g.input("x", bf16, {rows, 45}), -1, 3, 31);
                          tensor w = slice(g.weight("w", bf16, {40, 45}), 0, 7, 19);
                          tensor y = linear(x, slice(w, -1, 11, 31));
                          g.output("y", relu(y) + g.input("residual", f32, {rows, 19}));
                        }};

constexpr kernel gated{"gated", [](graph &g) {
                         tensor x = g.input("x", bf16, {rows, wide});
                         tensor gate = linear(x, g.weight("w_gate", bf16, {narrow, wide}));
                         tensor up = linear(x, g.weight("w_up", bf16, {narrow, wide}));
                         tensor down = linear(silu(gate) * up, g.weight("w_down", bf16, {wide, narrow}));
                         g.output("y", x + down);
                       }};

const Kernels &compiled() {
  static const Kernels kernels{&all_bf16,    &all_f16,    &bf16_f32_bias, &f32_by_bf16, &f16_by_bf16,
                               &bf16_by_f32, &heads_bf16, &heads_f16,     &sliced,      &gated};
  return kernels;
}

/// The first mistake of a call at these sizes.
void verify(const spec::graph &kernel, const tools::SymbolValues &sizes) {
  CAPTURE(kernel.name, sizes);
  std::mt19937_64 random(sizes[0] * 7 + sizes.back());
  auto call = [&](std::span<const heed_view> arguments) {
    std::string fault = compiled().library().call(kernel.name, arguments);
    if (!fault.empty())
      throw std::runtime_error(fault);
  };
  CHECK(tools::verifyCase(kernel, call, sizes, random).wrong == "");
}

using List = std::initializer_list<const spec::graph *>;

} // namespace
} // namespace heed::cases

using namespace heed::cases;

TEST_CASE("linear of halves and mixes of any size and layout") {
  for (const spec::graph *kernel :
       List{&all_bf16, &all_f16, &bf16_f32_bias, &f32_by_bf16, &f16_by_bf16, &bf16_by_f32})
    for (const tools::SymbolValues &sizes : {tools::SymbolValues{1, 1, 1, 1},
                                             {2, 3, 10, 17},
                                             {1, 5, 515, 40},
                                             {1, 70, 33, 48},
                                             {3, 40, 7, 150},
                                             {2, 90, 64, 64},
                                             {0, 4, 4, 4},
                                             {2, 5, 0, 9}})
      verify(*kernel, sizes);
}

TEST_CASE("heads of halves are written as attentions read them") {
  for (const spec::graph *kernel : List{&heads_bf16, &heads_f16})
    for (const tools::SymbolValues &sizes :
         {tools::SymbolValues{1, 1, 1}, {2, 5, 9}, {1, 70, 33}, {3, 130, 64}})
      verify(*kernel, sizes);
}

TEST_CASE("pairs of bf16 begin at any element, and end at any") {
  for (int64_t rows : {1, 7, 40, 130})
    verify(sliced, {rows});
}

TEST_CASE("a gate of bf16 is read by the second projection") {
  for (const tools::SymbolValues &sizes :
       {tools::SymbolValues{1, 1, 1}, {3, 10, 17}, {70, 33, 131}, {300, 16, 20}})
    verify(gated, sizes);
}
