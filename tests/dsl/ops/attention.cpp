#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"}, depth{"depth"};

struct operands {
  tensor q, k, v;
};

constexpr operands make(graph &g, extent width) {
  return {g.input("q", f32, {batch, 2, queries, width}), g.input("k", f32, {batch, 2, keys, width}),
          g.input("v", f32, {batch, 2, keys, 8})};
}

std::string operations_of(const spec::graph &g) {
  std::string text;
  for (int i = 3; i < g.node_count; ++i)
    text += text_of(g, g.nodes[i]) + '\n';
  return text;
}
} // namespace

TEST_CASE("attention expands to plain operations") {
  constexpr kernel k{"k", [](graph &g) {
                       const auto [q, k, v] = make(g, 64);
                       g.output("y", attention(q, k, v));
                     }};
  CHECK(operations_of(k) == "transpose(%1) f32 (batch,2,64,keys)\n"
                            "matmul(%0, %3) f32 (batch,2,queries,keys)\n"
                            "constant 0.125 f32 ()\n"
                            "multiply(%4, %5) f32 (batch,2,queries,keys)\n"
                            "softmax(%6) f32 (batch,2,queries,keys)\n"
                            "matmul(%7, %2) f32 (batch,2,queries,8)\n");
  for (int i = 3; i < k.node_count; ++i)
    CHECK(k.nodes[i].line == k.outputs[0].line);
}

TEST_CASE("attention takes a scale and a mask function or tensor") {
  constexpr kernel function{
      "function", [](graph &g) {
        const auto [q, k, v] = make(g, depth);
        g.output("y", attention(q, k, v, {.scale = 0.5, .mask = and_masks(causal(), sliding_window(3, 0))}));
      }};
  CHECK(text_of(function, function.nodes[5]) == "constant 0.5 f32 ()");
  CHECK(text_of(function, function.nodes[7]) == "mask @12(%6) f32 (batch,2,queries,keys)");
  CHECK(text_of(function, function.nodes[8]) == "softmax(%7) f32 (batch,2,queries,keys)");

  constexpr kernel shown{"shown", [](graph &g) {
                           tensor visible = g.input("visible", b8, {queries, keys});
                           const auto [q, k, v] = make(g, 64);
                           g.output("y", attention(q, k, v, {.mask = visible}));
                         }};
  CHECK(text_of(shown, shown.nodes[9]) == "where(%0, %7, %8) f32 (batch,2,queries,keys)");

  constexpr kernel kept{"kept", [](graph &g) {
                          const auto [q, k, v] = make(g, 64);
                          const attention_options options{.mask = causal()};
                          g.output("y", attention(q, k, v, options));
                        }};
  CHECK(text_of(kept, kept.nodes[7]) == "mask @4(%6) f32 (batch,2,queries,keys)");
}

TEST_CASE("attention takes its steps in their order") {
  constexpr kernel k{"k", [](graph &g) {
                       const auto [q, k, v] = make(g, 64);
                       tensor sink = g.weight("sink", f32, {2}), seed = g.scalar("seed", i64);
                       const auto half = [](value s, index, index, index, index) { return s / 2.0; };
                       g.output("y", attention(q, k, v,
                                               {.score_mod = half,
                                                .mask = causal(),
                                                .sink = sink,
                                                .dropout = {.p = g.scalar("p", f32), .seed = seed}}));
                     }};
  std::string steps;
  for (int i = 10; i < k.node_count; ++i)
    steps += text_of(k, k.nodes[i]) + '\n';
  CHECK(steps == "score_mod @6(%9) f32 (batch,2,queries,keys)\n"
                 "mask @11(%10) f32 (batch,2,queries,keys)\n"
                 "softmax(%11, %3) f32 (batch,2,queries,keys)\n"
                 "dropout site 0(%12, %5, %4) f32 (batch,2,queries,keys)\n"
                 "matmul(%13, %2) f32 (batch,2,queries,8)\n");
}

TEST_CASE("heads of keys serve groups of heads of queries") {
  constexpr kernel numbers{"numbers", [](graph &g) {
                             tensor q = g.input("q", f32, {1, 4, 3, 8});
                             tensor k = g.input("k", f32, {1, 2, 5, 8}), v = g.input("v", f32, {1, 1, 5, 8});
                             g.output("y", attention(q, k, v));
                           }};
  CHECK(text_of(numbers, numbers.nodes[3]) == "repeat_heads(%1) f32 (1,4,5,8)");
  CHECK(text_of(numbers, numbers.nodes[9]) == "matmul(%8, %2) f32 (1,4,3,8)");
  constexpr kernel symbols{"symbols", [](graph &g) {
                             tensor q = g.input("q", f32, {1, extent("h") * 3, 3, 8});
                             tensor k = g.input("k", f32, {1, extent("h"), 5, 8});
                             g.output("y", attention(q, k, k));
                           }};
  CHECK(text_of(symbols, symbols.nodes[2]) == "repeat_heads(%1) f32 (1,3*h,5,8)");
  CHECK(text_of(symbols, symbols.nodes[8]) == "repeat_heads(%1) f32 (1,3*h,5,8)");
  CHECK(fault([](graph &g) {
          tensor q = g.input("q", f32, {1, 3, 3, 8}), k = g.input("k", f32, {1, 2, 5, 8});
          attention(q, k, k);
        }) ==
        "attention: q is (1,3,3,8), k is (1,2,5,8), 3 heads of q do not divide by 2, a multiple is needed");
  CHECK(fault([](graph &g) {
          tensor q = g.input("q", f32, {1, 33, 3, 8}), k = g.input("k", f32, {1, 33, 5, 8});
          attention(q, k, g.input("v", f32, {1, 2, 5, 8}));
        }) ==
        "attention: q is (1,33,3,8), v is (1,2,5,8), 33 heads of q do not divide by 2, a multiple is needed");
}

TEST_CASE("steps of attention that are no such functions are refused in words") {
  CHECK(fault([](graph &g) {
          const auto [q, k, v] = make(g, 64);
          attention(q, k, v, {.score_mod = causal()});
        }) ==
        "score_mod: the second argument is no score function, one of (value s, index b, index h, index q, "
        "index k) that returns a number is needed");
  CHECK(fault([](graph &g) {
          const auto [q, k, v] = make(g, 64);
          attention(q, k, v, {.mask = softcap(2)});
        }) ==
        "mask: the second argument is no mask function, one of (index b, index h, index q, index k) that "
        "returns a condition is needed");
}

TEST_CASE("partial_attention has the log-sum-exp of its scores") {
  constexpr kernel k{"k", [](graph &g) {
                       const auto [q, k, v] = make(g, 64);
                       const attention_part part = partial_attention(q, k, v, {.mask = causal()});
                       g.output("y", part.output);
                       g.output("lse", part.lse);
                     }};
  CHECK(operations_of(k) == "transpose(%1) f32 (batch,2,64,keys)\n"
                            "matmul(%0, %3) f32 (batch,2,queries,keys)\n"
                            "constant 0.125 f32 ()\n"
                            "multiply(%4, %5) f32 (batch,2,queries,keys)\n"
                            "mask @4(%6) f32 (batch,2,queries,keys)\n"
                            "softmax(%7) f32 (batch,2,queries,keys)\n"
                            "matmul(%8, %2) f32 (batch,2,queries,8)\n"
                            "log_sum_exp(%7) f32 (batch,2,queries)\n");
}

TEST_CASE("attention says what does not fit") {
  CHECK(fault([](graph &g) {
          const auto [q, k, v] = make(g, depth);
          attention(q, k, v);
        }) ==
        "attention: q is (batch,2,queries,depth), its depth depth is symbolic, a number is needed for the "
        "default scale; give .scale");
  CHECK(fault([](graph &g) {
          const auto [q, k, v] = make(g, 64);
          attention(q, k, g.input("w", f32, {5, 8}));
        }) ==
        "attention: q is (batch,2,queries,64), k is (batch,2,keys,64), v is (5,8), four axes (batch, heads, "
        "tokens, depth) are needed");
  CHECK(fault([](graph &g) {
          const auto [q, k, v] = make(g, 64);
          attention(q, k, q);
        }) == "matmul: left is (batch,2,queries,keys), right is (batch,2,queries,64), the last axis of left "
              "must equal "
              "the last but one of right; did you mean transpose(left)?");
}
