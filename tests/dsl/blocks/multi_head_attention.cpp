#include "../text_of.hpp"
#include "formulas.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
const std::map<std::string, std::int64_t> sizes = {
    {"batch", 2}, {"queries", 3}, {"keys", 5}, {"capacity", 6}};

/// Every size differs from its default.
constexpr kernel cross{
    "cross", [](graph &g) {
      const auto w = blocks::make_multi_head_weights({g, name("layers", 3, "attn")}, {.heads = 4,
                                                                                      .width = 6,
                                                                                      .context_width = 5,
                                                                                      .depth = 2,
                                                                                      .value_depth = 3,
                                                                                      .key_heads = 2,
                                                                                      .out = 7,
                                                                                      .bias = false});
      const blocks::attended y = blocks::cross_attention(g.input("x", f32, {batch, queries, 6}),
                                                         g.input("context", f32, {batch, keys, 5}), w);
      g.output("y", y.output);
      g.output("weights", y.weights);
    }};

constexpr kernel cached{
    "cached", [](graph &g) {
      tensor x = g.input("x", f32, {batch, queries, 6}), position = g.scalar("position", i32);
      const extent capacity{"capacity"};
      const auto w = blocks::make_multi_head_weights({g, "attn"}, {.heads = 2, .width = 6});
      const blocks::key_values caches{g.state("k", f32, {batch, 2, capacity, 3}),
                                      g.state("v", f32, {batch, 2, capacity, 3})};
      const blocks::key_values to = blocks::append(caches, blocks::project_keys(x, w), position);
      g.output("y", blocks::cross_attention(x, to, w, {.mask = shifted(causal(), position)}).output);
    }};

} // namespace

TEST_CASE("cross_attention with sizes of its own") {
  const formulas::arguments with = formulas::completed(cross, {}, sizes);
  CHECK(with.at("layers_3_attn_w_v").shape == std::vector<std::int64_t>{6, 5});
  CHECK(with.count("layers_3_attn_b_q") == 0);
  CHECK(with.count("layers_3_attn_b_o") == 1);
  const array expected =
      formulas::multi_head(with.at("x"), with.at("context"), with, "layers_3_attn", 4, 2, nullptr);
  CHECK(formulas::largest_difference(evaluate(cross, with, sizes), expected) < 1e-12);
  const array weights = evaluate(cross, with, sizes, "weights");
  CHECK(weights.shape == std::vector<std::int64_t>{2, 4, 3, 5});
  for (std::int64_t row = 0; row < 3; ++row) {
    double sum = 0;
    for (std::int64_t key = 0; key < 5; ++key)
      sum += weights.at({1, 3, row, key});
    CHECK(sum == Approx(1));
  }
}

TEST_CASE("tokens one by one through a cache are one causal call") {
  const formulas::arguments with = formulas::completed(cached, {{"position", array({}, 0)}},
                                                       {{"batch", 2}, {"queries", 4}, {"capacity", 6}});
  const array whole =
      formulas::multi_head(with.at("x"), with.at("x"), with, "attn", 2, 2,
                           [](std::int64_t, std::int64_t q, std::int64_t k) { return k <= q; });
  formulas::arguments step = with;
  for (std::int64_t token = 0; token < 4; ++token) {
    step["position"] = array({}, static_cast<double>(token));
    step["x"] = filled({2, 1, 6}, [&](const std::vector<std::int64_t> &at) {
      return with.at("x").at({at[0], token, at[2]});
    });
    const std::map<std::string, std::int64_t> one = {{"batch", 2}, {"queries", 1}, {"capacity", 6}};
    const array y = evaluate(cached, step, one);
    const array k = evaluate(cached, step, one, "k"), v = evaluate(cached, step, one, "v");
    step["k"] = k, step["v"] = v;
    const array expected = filled(
        {2, 1, 6}, [&](const std::vector<std::int64_t> &at) { return whole.at({at[0], token, at[2]}); });
    CHECK(formulas::largest_difference(y, expected) < 1e-12);
  }
}

TEST_CASE("multi_head_weights say what does not fit") {
  CHECK(fault([](graph &g) { blocks::make_multi_head_weights({g, "attn"}, {.heads = 3, .width = 8}); }) ==
        "multi_head: the width is 8, 3 heads do not divide it, a multiple is needed; or give .depth");
}
