// Scalar arguments in programs and in arithmetic, and dropout.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

struct operands {
  tensor q, k, v;
};

constexpr operands inputs(graph &g) {
  return {g.input("q", f32, {batch, 2, queries, 16}), g.input("k", f32, {batch, 2, keys, 16}),
          g.input("v", f32, {batch, 2, keys, 16})};
}

constexpr kernel scaled{"scaled", [](graph &g) {
                          operands in = inputs(g);
                          tensor factor = g.scalar("factor", f32);
                          g.output("y", matmul(softmax(matmul(in.q, transpose(in.k)) * factor), in.v));
                        }};

constexpr kernel in_program{
    "in_program", [](graph &g) {
      operands in = inputs(g);
      tensor past = g.scalar("past", i64), cap = g.scalar("cap", f32);
      auto capped = [=](value s, index, index, index, index) { return tanh(s) * (1 + abs(cap())); };
      g.output("y", attention(in.q, in.k, in.v, {.score_mod = capped, .mask = causal_from(past)}));
    }};

constexpr kernel dropped{
    "dropped", [](graph &g) {
      operands in = inputs(g);
      tensor p = g.scalar("p", f32), seed = g.scalar("seed", i64);
      g.output("y", attention(in.q, in.k, in.v, {.mask = causal(), .dropout = {.p = p, .seed = seed}}));
    }};

constexpr kernel dropped_everywhere{"dropped_everywhere", [](graph &g) {
                                      operands in = inputs(g);
                                      tensor p = g.scalar("p", f32), seed = g.scalar("seed", i64);
                                      tensor weights = softmax(matmul(in.q, transpose(in.k)) / 4.0);
                                      tensor kept = dropout(weights, p, seed);
                                      g.output("y", dropout(matmul(kept, in.v), p, seed));
                                      g.output("weights", weights);
                                      g.output("kept", kept);
                                    }};

HEED_EXPORT(scaled);
HEED_EXPORT(in_program);
HEED_EXPORT(dropped);
HEED_EXPORT(dropped_everywhere);
