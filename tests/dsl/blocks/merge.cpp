#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

constexpr attention_part part(graph &g, const char *output, const char *lse) {
  return {g.input(output, f32, {1, 1, 5, 2}), g.input(lse, f32, {1, 1, 5})};
}
constexpr kernel merged{"merged", [](graph &g) {
                          const attention_part a = part(g, "a", "a_lse"), b = part(g, "b", "b_lse");
                          const attention_part whole = merge(a, b);
                          g.output("y", whole.output);
                          g.output("lse", whole.lse);
                        }};

/// Attention to the keys below and from `split` on, merged; and to all of them.
constexpr kernel split_in_two{
    "split_in_two", [](graph &g) {
      tensor q = g.input("q", f32, {1, 2, 4, 3}), k = g.input("k", f32, {1, 2, 6, 3});
      const auto visible = [](index, index h, index q, index k) { return k <= q + h && k != 1; };
      const attention_part below = partial_attention(
          q, k, k, {.mask = and_masks(visible, [](index, index, index, index k) { return k < 2; })});
      const attention_part above = partial_attention(
          q, k, k, {.mask = and_masks(visible, [](index, index, index, index k) { return k >= 2; })});
      const attention_part whole = merge(below, above),
                           expected = partial_attention(q, k, k, {.mask = visible});
      g.output("y", whole.output);
      g.output("lse", whole.lse);
      g.output("expected", expected.output);
      g.output("expected_lse", expected.lse);
    }};
} // namespace

TEST_CASE("merge weighs two parts by their log-sum-exp") {
  array a({1, 1, 5, 2}, 1), b({1, 1, 5, 2}, 3), a_lse({1, 1, 5}), b_lse({1, 1, 5});
  // Rows: equal weight; far above; the first empty; the second empty with NaN; both empty.
  a_lse.elements = {2, 900, -infinity, 1, -infinity};
  b_lse.elements = {2, -900, 5, -infinity, -infinity};
  a.elements[4] = a.elements[5] = b.elements[6] = b.elements[7] = a.elements[8] = nan_value;
  const std::map<std::string, array> arguments = {{"a", a}, {"a_lse", a_lse}, {"b", b}, {"b_lse", b_lse}};
  const array y = evaluate(merged, arguments, {}), lse = evaluate(merged, arguments, {}, "lse");
  CHECK(y.elements == std::vector<double>{2, 2, 1, 1, 3, 3, 1, 1, 0, 0});
  CHECK(lse.elements == std::vector<double>{2 + std::log(2.0), 900, 5, 1, -infinity});
}

TEST_CASE("attention to two parts of the keys, merged, is attention to all") {
  const std::map<std::string, array> arguments = {{"q", mixed({1, 2, 4, 3}, 1)},
                                                  {"k", mixed({1, 2, 6, 3}, 2)}};
  for (const auto &[got, wanted] : {std::pair{"y", "expected"}, {"lse", "expected_lse"}}) {
    const array result = evaluate(split_in_two, arguments, {}, got);
    const array expected = evaluate(split_in_two, arguments, {}, wanted);
    for (std::size_t i = 0; i < expected.elements.size(); ++i)
      CHECK(result.elements[i] == Approx(expected.elements[i]));
  }
}

TEST_CASE("merged outputs keep their type") {
  constexpr kernel k{
      "k", [](graph &g) {
        const attention_part a = {g.input("a", bf16, {1, 1, 5, 2}), g.input("a_lse", f32, {1, 1, 5})},
                             b = {g.input("b", f16, {1, 1, 5, 2}), g.input("b_lse", f32, {1, 1, 5})};
        const attention_part whole = merge(a, b);
        g.output("y", whole.output);
        g.output("lse", whole.lse);
      }};
  CHECK(k.nodes[k.outputs[0].node].type == bf16);
  CHECK(k.nodes[k.outputs[1].node].type == f32);
}

TEST_CASE("merge says what does not fit") {
  CHECK(fault([](graph &g) {
          const attention_part a = part(g, "a", "a_lse");
          merge(a, {a.output, g.input("b_lse", f32, {1, 1, 4})});
        }) ==
        "merge: the output of a part is (1,1,5,2), its lse is (1,1,4), (batch, heads, queries, depth) and "
        "(batch, heads, queries) are needed");
  CHECK(fault([](graph &g) {
          const attention_part a = part(g, "a", "a_lse");
          merge(a, {g.input("b", f32, {1, 1, 5, 3}), a.lse});
        }) == "merge: one output is (1,1,5,2), the other is (1,1,5,3), one shape is needed");
}
