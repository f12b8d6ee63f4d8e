// Kernels that several files of cases use: tensors are (batch, heads, tokens, depth), every extent is known
// in the call.
#ifndef HEED_TESTS_CASES_ATTENTION_KERNELS_HPP
#define HEED_TESTS_CASES_ATTENTION_KERNELS_HPP

#include <heed/dsl.hpp>

namespace heed::cases {

inline constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"}, depth{"depth"},
    width{"width"};

struct operands {
  tensor q, k, v;
};

/// q (b, h, m, d), k (b, h, n, d), v (b, h, n, e). Scores are not scaled unless a kernel says so.
constexpr operands inputs(graph &g, dtype type = f32) {
  return {g.input("q", type, {batch, heads, queries, depth}), g.input("k", type, {batch, heads, keys, depth}),
          g.input("v", type, {batch, heads, keys, width})};
}

/// softmax(q kᵀ) v with options; their scale is 1.
constexpr tensor attend(const operands &x, attention_options &&options = {}) {
  options.scale = 1.0;
  return attention(x.q, x.k, x.v, options);
}

inline constexpr kernel dense{"dense", [](graph &g) { g.output("y", attend(inputs(g))); }};

/// Any mask of bytes that broadcasts from (batch, heads, queries, keys).
inline constexpr kernel masked{
    "masked", [](graph &g) {
      operands x = inputs(g);
      g.output("y", attend(x, {.mask = g.input("visible", b8, {batch, heads, queries, keys})}));
    }};

} // namespace heed::cases

#endif // HEED_TESTS_CASES_ATTENTION_KERNELS_HPP
