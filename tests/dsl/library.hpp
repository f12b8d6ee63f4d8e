#pragma once
/// \file
/// Checks a mask or score function of the library at every position against a formula.

#include "evaluate.hpp"
#include "text_of.hpp"

#include <catch2/catch.hpp>

namespace heed::testing {

inline constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"};

/// Scores under the mask that `make(g)` returns.
template <auto make>
inline constexpr kernel masked{"masked", [](graph &g) {
                                 tensor scores = g.input("scores", f32, {batch, heads, queries, keys});
                                 g.output("y", mask(scores, make(g)));
                               }};

/// Scores of `head_count` heads under the score function that `make(g)` returns.
template <int head_count, auto make>
inline constexpr kernel changed{"changed", [](graph &g) {
                                  tensor scores = g.input("scores", f32, {batch, head_count, queries, keys});
                                  g.output("y", score_mod(scores, make(g)));
                                }};

using position_4 = std::vector<std::int64_t>;

inline array with_scores(const spec::graph &kernel, std::map<std::string, array> arguments,
                         const position_4 &shape) {
  arguments["scores"] = mixed(shape, 11);
  return evaluate(kernel, arguments,
                  {{"batch", shape[0]}, {"heads", shape[1]}, {"queries", shape[2]}, {"keys", shape[3]}});
}

/// Visible scores are as given, the others -infinity; `visible(b, h, q, k)` says which.
template <class function>
void check_mask(const spec::graph &kernel, const std::map<std::string, array> &arguments,
                const position_4 &shape, const function &visible) {
  const array scores = mixed(shape, 11), y = with_scores(kernel, arguments, shape);
  for_each_position(shape, [&](const position_4 &at) {
    CAPTURE(shape, at);
    CHECK(y.at(at) == (visible(at[0], at[1], at[2], at[3]) ? scores.at(at) : -infinity));
  });
}

/// `expected(score, b, h, q, k)` is the new score.
template <class function>
void check_score_mod(const spec::graph &kernel, const std::map<std::string, array> &arguments,
                     const position_4 &shape, const function &expected) {
  const array scores = mixed(shape, 11), y = with_scores(kernel, arguments, shape);
  for_each_position(shape, [&](const position_4 &at) {
    CAPTURE(shape, at);
    CHECK(y.at(at) == Approx(expected(scores.at(at), at[0], at[1], at[2], at[3])).margin(1e-14));
  });
}

inline array numbers(std::vector<double> elements) {
  array result({static_cast<std::int64_t>(elements.size())});
  result.elements = std::move(elements);
  return result;
}

inline array number(double value) { return array({}, value); }

} // namespace heed::testing
