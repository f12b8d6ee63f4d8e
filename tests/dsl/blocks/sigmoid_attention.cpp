#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr kernel k{
    "k", [](graph &g) {
      tensor q = g.input("q", f32, {1, 4, 3, 4}), k = g.input("k", f32, {1, 2, 5, 4});
      g.output("y", sigmoid_attention(q, k, k, {.bias = g.input("bias", f32, {4, 1, 5}), .mask = causal()}));
      g.output("plain", sigmoid_attention(q, k, k, {.scale = 1, .bias = -1.5}));
    }};
} // namespace

TEST_CASE("weights of sigmoid_attention are independent") {
  const array q = mixed({1, 4, 3, 4}, 1), keys = mixed({1, 2, 5, 4}, 2), bias = mixed({4, 1, 5}, 3);
  const auto expected = [&](bool plain) {
    return filled({1, 4, 3, 4}, [&](const std::vector<std::int64_t> &at) {
      const std::int64_t h = at[1], row = at[2];
      double sum = 0;
      for (std::int64_t key = 0; key < (plain ? 5 : row + 1); ++key) {
        double score = 0;
        for (std::int64_t d = 0; d < 4; ++d)
          score += q.at({0, h, row, d}) * keys.at({0, h / 2, key, d});
        score = plain ? score - 1.5 : score / 2 + bias.at({h, 0, key});
        sum += keys.at({0, h / 2, key, at[3]}) / (1 + std::exp(-score));
      }
      return sum;
    });
  };
  for (const bool plain : {false, true}) {
    const array y = evaluate(k, {{"q", q}, {"k", keys}, {"bias", bias}}, {}, plain ? "plain" : "y");
    for (std::size_t i = 0; i < y.elements.size(); ++i)
      CHECK(y.elements[i] == Approx(expected(plain).elements[i]).margin(1e-12));
  }
}

TEST_CASE("sigmoid_attention says what does not fit") {
  CHECK(fault([](graph &g) {
          tensor q = g.input("q", f32, {1, 3, 3, 4}), k = g.input("k", f32, {1, 2, 5, 4});
          sigmoid_attention(q, k, k);
        }) ==
        "sigmoid_attention: q is (1,3,3,4), k is (1,2,5,4), 3 heads of q do not divide by 2, a multiple is "
        "needed");
}
