#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

constexpr kernel cross_attention{
    "cross_attention", [](graph &g) {
      constexpr int d_in = 10, d_out = 8, heads = 2;
      tensor x = g.input("x", f32, {batch, queries, d_in});
      tensor context = g.input("context", f32, {batch, keys, d_in});
      tensor visible = g.input("mask", b8, {batch, heads, queries, keys});

      tensor q = split_heads(linear(x, g.weight("w_query", f32, {d_out, d_in})), heads);
      tensor k = split_heads(linear(context, g.weight("w_key", f32, {d_out, d_in})), heads);
      tensor v = split_heads(linear(context, g.weight("w_value", f32, {d_out, d_in})), heads);

      tensor scores = matmul(q, transpose(k)) / sqrt(d_out / heads);
      tensor attn = softmax(where(visible, scores, -infinity));
      g.output("y", linear(merge_heads(matmul(attn, v)), g.weight("w_out", f32, {d_out, d_out}),
                           g.weight("b_out", f32, {d_out})));
    }};

template <int depth> constexpr auto attention_kernel(const char *called) {
  return kernel{called, [](graph &g) {
                  tensor q = g.input("q", f32, {batch, 1, queries, depth}),
                         k = g.input("k", f32, {batch, 1, keys, depth});
                  g.output("y", attention(q, k, k));
                }};
}
constexpr kernel narrow = attention_kernel<16>("narrow");
constexpr kernel wide = attention_kernel<64>("wide");

constexpr auto block = [](graph &g) { g.output("y", g.input("x", f32, {batch})); };
constexpr kernel one{"one", block}, two{"two", block};

constexpr tensor layer(graph &g, tensor x, int i) {
  tensor w = g.weight(name("layer", i, "w"), f32, {8, 8}), b = g.weight(name("layer", i, "b"), f32, {8});
  return x + max(linear(x, w, b), 0);
}
constexpr kernel stack{"stack", [](graph &g) {
                         tensor x = g.input("x", f32, {batch, 8});
                         for (int i = 0; i < 24; ++i)
                           x = layer(g, x, i);
                         g.output("y", x);
                       }};

} // namespace

TEST_CASE("a cross-attention block as users write it") {
  CHECK(std::string(cross_attention.name) == "cross_attention");
  CHECK(cross_attention.version == spec::format_version);
  CHECK(text_of(cross_attention) == "%0 = input x f32 (batch,queries,10)\n"
                                    "%1 = input context f32 (batch,keys,10)\n"
                                    "%2 = input mask b8 (batch,2,queries,keys)\n"
                                    "%3 = weight w_query f32 (8,10)\n"
                                    "%4 = linear(%0, %3) f32 (batch,queries,8)\n"
                                    "%5 = split_heads(%4) f32 (batch,2,queries,4)\n"
                                    "%6 = weight w_key f32 (8,10)\n"
                                    "%7 = linear(%1, %6) f32 (batch,keys,8)\n"
                                    "%8 = split_heads(%7) f32 (batch,2,keys,4)\n"
                                    "%9 = weight w_value f32 (8,10)\n"
                                    "%10 = linear(%1, %9) f32 (batch,keys,8)\n"
                                    "%11 = split_heads(%10) f32 (batch,2,keys,4)\n"
                                    "%12 = transpose(%8) f32 (batch,2,4,keys)\n"
                                    "%13 = matmul(%5, %12) f32 (batch,2,queries,keys)\n"
                                    "%14 = constant 2 f32 ()\n"
                                    "%15 = divide(%13, %14) f32 (batch,2,queries,keys)\n"
                                    "%16 = constant -inf f32 ()\n"
                                    "%17 = where(%2, %15, %16) f32 (batch,2,queries,keys)\n"
                                    "%18 = softmax(%17) f32 (batch,2,queries,keys)\n"
                                    "%19 = matmul(%18, %11) f32 (batch,2,queries,4)\n"
                                    "%20 = merge_heads(%19) f32 (batch,queries,8)\n"
                                    "%21 = weight w_out f32 (8,8)\n"
                                    "%22 = weight b_out f32 (8)\n"
                                    "%23 = linear(%20, %21, %22) f32 (batch,queries,8)\n"
                                    "y = %23\n");
}

TEST_CASE("kernels come from functions and share blocks") {
  CHECK(text_of(narrow, narrow.nodes[0]) == "input q f32 (batch,1,queries,16)");
  CHECK(text_of(wide, wide.nodes[0]) == "input q f32 (batch,1,queries,64)");
  CHECK(std::string(one.name) == "one");
  CHECK(std::string(two.name) == "two");
  CHECK(one.nodes == two.nodes);
}

TEST_CASE("layers in a loop") {
  CHECK(stack.node_count == 1 + 24 * 6);
  CHECK(stack.symbol_count == 1);
  CHECK(stack.extent_count == 2);
  CHECK(text_of(stack, stack.nodes[1]) == "weight layer_0_w f32 (8,8)");
  CHECK(text_of(stack, stack.nodes[144]) == "add(%138, %143) f32 (batch,8)");
  CHECK(std::string(stack.nodes[140].name) == "layer_23_b");
}
