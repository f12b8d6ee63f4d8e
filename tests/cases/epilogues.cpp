// What follows a linear layer element by element, against the evaluator: every layout, guarded memory, odd
// sizes.
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

enum class activation { relu, silu, gelu_tanh, tanh, scaled, gelu };

template <activation which> constexpr tensor activate(const tensor &x) {
  if constexpr (which == activation::relu)
    return relu(x);
  else if constexpr (which == activation::silu)
    return silu(x);
  else if constexpr (which == activation::gelu_tanh)
    return gelu_tanh(x);
  else if constexpr (which == activation::tanh)
    return tanh(x);
  else if constexpr (which == activation::gelu)
    return gelu(x);
  else
    return x * 3.0 - 1.0;
}

template <activation which, dtype type> constexpr auto activated(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor x = g.input("x", type, {batch, rows, wide});
                  tensor w = g.weight("w", type, {narrow, wide}), b = g.weight("b", type, {narrow});
                  g.output("y", activate<which>(linear(x, w, b)));
                }};
}
constexpr auto relu_single = activated<activation::relu, f32>("relu_single");
constexpr auto relu_double = activated<activation::relu, f64>("relu_double");
constexpr auto relu_half = activated<activation::relu, f16>("relu_half");
constexpr auto silu_single = activated<activation::silu, f32>("silu_single");
constexpr auto silu_double = activated<activation::silu, f64>("silu_double");
constexpr auto gelu_single = activated<activation::gelu, f32>("gelu_single");
constexpr auto gelu_double = activated<activation::gelu, f64>("gelu_double");
constexpr auto gelu_tanh_single = activated<activation::gelu_tanh, f32>("gelu_tanh_single");
constexpr auto gelu_tanh_bfloat = activated<activation::gelu_tanh, bf16>("gelu_tanh_bfloat");
constexpr auto tanh_double = activated<activation::tanh, f64>("tanh_double");
constexpr auto scaled_single = activated<activation::scaled, f32>("scaled_single");

/// The residual is the very tensor that the layer reads.
template <dtype type> constexpr auto residual(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor x = g.input("x", type, {batch, rows, wide});
                  tensor w = g.weight("w", type, {wide, wide}), b = g.weight("b", type, {wide});
                  g.output("y", x + linear(x, w, b));
                }};
}
constexpr auto residual_single = residual<f32>("residual_single");
constexpr auto residual_double = residual<f64>("residual_double");

constexpr kernel gated{"gated", [](graph &g) {
                         tensor x = g.input("x", f32, {rows, wide});
                         tensor gate = linear(x, g.weight("w_gate", f32, {narrow, wide}));
                         tensor up = linear(x, g.weight("w_up", f32, {narrow, wide}));
                         tensor down = linear(silu(gate) * up, g.weight("w_down", f32, {wide, narrow}));
                         g.output("y", x + down);
                       }};

/// Numbers of every broadcast shape, and a residual whose rows lie side by side.
constexpr kernel broadcast{"broadcast", [](graph &g) {
                             tensor x = g.input("x", f32, {batch, rows, wide});
                             tensor y = linear(x, g.weight("w", f32, {narrow, wide}));
                             y = y * g.input("all", f32, {1}) + g.input("row", f32, {rows, 1});
                             y = y * g.input("entry", f32, {batch, 1, 1}) -
                                 g.input("column", f32, {1, narrow});
                             g.output("y", y + transpose(g.input("turned", f32, {batch, narrow, rows})));
                           }};

constexpr kernel chosen{
    "chosen", [](graph &g) {
      tensor x = g.input("x", f32, {rows, wide});
      tensor y = linear(x, g.weight("w", f32, {narrow, wide}));
      g.output("y", where(g.input("keep", b8, {rows, narrow}), y, g.input("other", f32, {rows, 1})));
    }};

/// One row without an axis for it, and four leading axes.
constexpr kernel vector{"vector", [](graph &g) {
                          tensor x = g.input("x", f32, {wide});
                          g.output("y", relu(linear(x, g.weight("w", f32, {wide, wide}))) + x);
                        }};
constexpr kernel deep{"deep", [](graph &g) {
                        tensor x = g.input("x", f32, {batch, 2, rows, 3, wide});
                        g.output("y", relu(linear(x, g.weight("w", f32, {wide, wide}))) + x);
                      }};

template <bool adds> constexpr auto dropping(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor x = g.input("x", f32, {batch, rows, wide});
                  tensor y = relu(linear(x, g.weight("w", f32, {wide, wide}), g.weight("b", f32, {wide})));
                  y = dropout(y, g.scalar("p", f32), g.scalar("seed", i64));
                  g.output("y", adds ? x + y : y);
                }};
}
constexpr auto dropped = dropping<false>("dropped");
constexpr auto dropped_and_added = dropping<true>("dropped_and_added");

const Kernels &compiled() {
  static const Kernels kernels{&relu_single,      &relu_double,
                               &relu_half,        &silu_single,
                               &silu_double,      &gelu_tanh_single,
                               &gelu_tanh_bfloat, &tanh_double,
                               &scaled_single,    &residual_single,
                               &residual_double,  &gated,
                               &broadcast,        &chosen,
                               &vector,           &deep,
                               &dropped,          &dropped_and_added,
                               &gelu_single,      &gelu_double};
  return kernels;
}

/// The first mistake of a call at these sizes, and how many steps it had.
void verify(const spec::graph &kernel, const tools::SymbolValues &sizes, const tools::Inputs &given = {}) {
  CAPTURE(kernel.name, sizes);
  std::mt19937_64 random(sizes[0] * 7 + sizes.back());
  auto call = [&](std::span<const heed_view> arguments) {
    std::string fault = compiled().library().call(kernel.name, arguments);
    if (!fault.empty())
      throw std::runtime_error(fault);
  };
  CHECK(tools::verifyCase(kernel, call, sizes, random, given).wrong == "");
}

using List = std::initializer_list<const spec::graph *>;

int steps(const spec::graph &kernel) { return compiled().library().program(kernel.name)->step_count; }

int argumentNamed(const spec::graph &kernel, std::string_view name) {
  for (int node = 0; node < kernel.node_count; ++node)
    if (const char *known = kernel.nodes[node].name; known && known == name)
      return node;
  throw std::runtime_error("no such argument");
}

} // namespace
} // namespace heed::cases

using namespace heed::cases;

TEST_CASE("activations of a linear layer are part of its step") {
  for (const spec::graph *kernel :
       List{&relu_single, &relu_double, &relu_half, &silu_single, &silu_double, &gelu_tanh_single,
            &gelu_tanh_bfloat, &tanh_double, &scaled_single, &gelu_single, &gelu_double}) {
    CHECK(steps(*kernel) == 1);
    for (const tools::SymbolValues &sizes : {tools::SymbolValues{1, 1, 1, 1},
                                             {2, 3, 10, 17},
                                             {1, 70, 33, 48},
                                             {3, 40, 7, 150},
                                             {0, 4, 4, 4},
                                             {2, 5, 0, 9}})
      verify(*kernel, sizes);
  }
}

TEST_CASE("a residual may be the layer's own input") {
  for (const spec::graph *kernel : List{&residual_single, &residual_double}) {
    CHECK(steps(*kernel) == 1);
    for (const tools::SymbolValues &sizes :
         {tools::SymbolValues{1, 1, 1}, {2, 3, 10}, {2, 90, 33}, {1, 300, 64}, {3, 7, 160}})
      verify(*kernel, sizes);
  }
}

TEST_CASE("a gate is read by the second projection") {
  CHECK(steps(gated) == 3);
  for (const tools::SymbolValues &sizes :
       {tools::SymbolValues{1, 1, 1}, {3, 10, 17}, {70, 33, 130}, {300, 16, 20}})
    verify(gated, sizes);
}

TEST_CASE("operands of an epilogue have any shape that broadcasts, and any strides") {
  for (const tools::SymbolValues &sizes :
       {tools::SymbolValues{1, 1, 1, 1}, {2, 3, 10, 17}, {3, 70, 5, 40}, {2, 1, 9, 33}}) {
    verify(broadcast, sizes);
    verify(deep, {sizes[0], sizes[1], sizes[2]});
  }
  for (const tools::SymbolValues &sizes : {tools::SymbolValues{1, 1, 1}, {9, 10, 17}, {130, 5, 40}})
    verify(chosen, sizes);
  for (int64_t size : {1, 7, 64, 100})
    verify(vector, {size});
  CHECK(steps(broadcast) == 1);
  CHECK(steps(chosen) == 1);
  CHECK(steps(vector) == 1);
  CHECK(steps(deep) == 1);
}

TEST_CASE("dropout of a linear layer drops by the seed and the place alone") {
  for (const spec::graph *kernel : List{&dropped, &dropped_and_added}) {
    CHECK(steps(*kernel) == 1);
    for (double p : {0.0, 0.3, 1.0})
      for (const tools::SymbolValues &sizes :
           {tools::SymbolValues{1, 1, 1}, {2, 7, 10}, {2, 90, 33}, {5, 60, 160}})
        verify(*kernel, sizes,
               {{argumentNamed(*kernel, "p"), Array::scalar(p, f32).host()},
                {argumentNamed(*kernel, "seed"), Array::scalar(77, i64).host()}});
  }
}

TEST_CASE("the bits of an epilogue do not depend on threads") {
  Array x = Array::random({4, 100, 96}, 1), w = Array::random({96, 96}, 2), b = Array::random({96}, 3);
  std::vector<Array> arguments{x, w, b, Array::scalar(0.25, f32), Array::scalar(5, i64)};
  Array first = compiled()(dropped_and_added, arguments);
  for (int threads : {1, 2, 3, 8}) {
    heed_options options{threads, nullptr, nullptr, nullptr, 0};
    CHECK(compiled()(dropped_and_added, arguments, &options) == first);
  }
}
