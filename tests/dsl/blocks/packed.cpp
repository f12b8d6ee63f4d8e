#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent tokens{"tokens"}, ends{"ends"};

/// Three sequences of 2, 0 and 3 tokens, and one token that belongs to none.
const std::vector<double> offsets = {0, 2, 2, 5};
/// Keys of 1, 2 and 4 tokens.
const std::vector<double> key_offsets = {0, 1, 3, 7};

int sequence_of(const std::vector<double> &of, std::int64_t token) {
  int sequence = 0;
  for (std::size_t i = 1; i < of.size(); ++i)
    sequence += of[i] <= static_cast<double>(token);
  return sequence;
}

constexpr tensor self_offsets(graph &g, extent count = 4) { return g.input("offsets", i32, {count}); }

/// Attention of packed sequences, causal within each, of queries that are the last of their keys' tokens.
constexpr kernel whole{
    "whole", [](graph &g) {
      tensor q = g.input("q", f32, {1, 2, queries, 3}), k = g.input("k", f32, {1, 2, keys, 3});
      tensor of_q = self_offsets(g, ends), of_k = g.input("key_offsets", i32, {ends});
      g.output("y", attention(q, k, k, {.mask = packed_sequences(of_q, queries, of_k, causal())}));
      g.output("last", attention(q, k, k, {.mask = packed_bottom_right(of_q, queries, of_k, causal())}));
    }};
constexpr kernel alone{"alone", [](graph &g) {
                         tensor q = g.input("q", f32, {1, 2, queries, 3}),
                                k = g.input("k", f32, {1, 2, keys, 3});
                         g.output("y", attention(q, k, k, {.mask = causal()}));
                         g.output("last", attention(q, k, k, {.mask = causal_bottom_right(queries, keys)}));
                       }};

/// Tokens from .. to of x (1, h, tokens, d).
array part(const array &x, std::int64_t from, std::int64_t to) {
  return filled({1, x.shape[1], to - from, x.shape[3]},
                [&](const position_4 &at) { return x.at({0, at[1], at[2] + from, at[3]}); });
}
} // namespace

TEST_CASE("packed queries see the keys of their sequence") {
  constexpr auto &plain = masked<[](graph &g) { return packed_sequences(self_offsets(g), queries); }>;
  check_mask(plain, {{"offsets", numbers(offsets)}}, {1, 1, 6, 6}, [](int, int, int q, int k) {
    return q < 5 && k < 5 && sequence_of(offsets, q) == sequence_of(offsets, k);
  });
  constexpr auto &near =
      masked<[](graph &g) { return packed_sequences(self_offsets(g), queries, sliding_window(1, 0)); }>;
  check_mask(near, {{"offsets", numbers(offsets)}}, {1, 1, 6, 6}, [](int, int, int q, int k) {
    return q < 5 && k <= q && k >= q - 1 && sequence_of(offsets, q) == sequence_of(offsets, k);
  });
}

TEST_CASE("the mask within a sequence counts from its start, or from its end") {
  const std::map<std::string, array> arguments = {{"offsets", numbers(offsets)},
                                                  {"key_offsets", numbers(key_offsets)}};
  constexpr auto &start = masked<[](graph &g) {
    return packed_sequences(self_offsets(g), queries, g.input("key_offsets", i32, {4}), causal());
  }>;
  const auto own = [](int q, int k) {
    return q < 5 && k < 7 && sequence_of(offsets, q) == sequence_of(key_offsets, k);
  };
  check_mask(start, arguments, {1, 1, 6, 8}, [&](int, int, int q, int k) {
    const int i = sequence_of(offsets, q);
    return own(q, k) && k - key_offsets[i] <= q - offsets[i];
  });
  constexpr auto &end = masked<[](graph &g) {
    return packed_bottom_right(self_offsets(g), queries, g.input("key_offsets", i64, {4}), causal());
  }>;
  check_mask(end, arguments, {1, 1, 6, 8}, [&](int, int, int q, int k) {
    const int i = sequence_of(offsets, q);
    return own(q, k) && k - key_offsets[i + 1] <= q - offsets[i + 1];
  });
}

TEST_CASE("packed sequences give what each gives alone, and zeros beyond the last") {
  const array q = mixed({1, 2, 6, 3}, 1), k = mixed({1, 2, 8, 3}, 2);
  const std::map<std::string, array> arguments = {
      {"q", q}, {"k", k}, {"offsets", numbers(offsets)}, {"key_offsets", numbers(key_offsets)}};
  for (const char *name : {"y", "last"}) {
    const array y = evaluate(whole, arguments, {{"queries", 6}, {"keys", 8}, {"ends", 4}}, name);
    for (int i : {0, 2}) {
      const auto first = static_cast<std::int64_t>(offsets[i]),
                 end = static_cast<std::int64_t>(offsets[i + 1]);
      const auto first_key = static_cast<std::int64_t>(key_offsets[i]),
                 end_key = static_cast<std::int64_t>(key_offsets[i + 1]);
      const array expected = evaluate(alone, {{"q", part(q, first, end)}, {"k", part(k, first_key, end_key)}},
                                      {{"queries", end - first}, {"keys", end_key - first_key}}, name);
      CHECK(part(y, first, end).elements == expected.elements);
    }
    CHECK(part(y, 5, 6).elements == std::vector<double>(6, 0));
  }
}

TEST_CASE("positions begin anew with each sequence") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor of = self_offsets(g, ends);
                       g.input("x", f32, {tokens});
                       g.output("y", packed_positions(of, tokens));
                     }};
  const array y =
      evaluate(k, {{"offsets", numbers(offsets)}, {"x", array({6})}}, {{"tokens", 6}, {"ends", 4}});
  CHECK(y.shape == std::vector<std::int64_t>{1, 6});
  CHECK(y.elements == std::vector<double>{0, 1, 0, 1, 2, 0});
}

TEST_CASE("packed says what does not fit") {
  CHECK(fault([](graph &g) { packed_sequences(g.input("offsets", f32, {ends}), tokens); }) ==
        "packed_sequences: offsets are a tensor (ends) of f32, integers of shape (sequences + 1) are needed");
  CHECK(
      fault([](graph &g) { packed_positions(g.input("offsets", i32, {1, ends}), tokens); }) ==
      "packed_positions: offsets are a tensor (1,ends) of i32, integers of shape (sequences + 1) are needed");
  CHECK(fault([](graph &g) { packed_sequences(self_offsets(g), 0); }) ==
        "packed_sequences: an extent is 0, at least 1 is needed");
}
