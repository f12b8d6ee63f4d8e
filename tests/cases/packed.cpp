// Sequences packed into one buffer: each gives what it gives alone, whatever stands in the others.
#include "Kernels.h"
#include "attention_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

constexpr extent offsets{"offsets"};

constexpr tensor offsets_of(graph &g, const char *name) { return g.input(name, i32, {offsets}); }

/// Queries are the last tokens of their sequence's keys.
constexpr kernel apart{"apart", [](graph &g) {
                         operands x = inputs(g);
                         tensor of_q = offsets_of(g, "query_offsets"), of_k = offsets_of(g, "key_offsets");
                         g.output("y",
                                  attend(x, {.mask = packed_bottom_right(of_q, queries, of_k, causal())}));
                       }};
constexpr kernel alone{"alone", [](graph &g) {
                         g.output("y", attend(inputs(g), {.mask = causal_bottom_right(queries, keys)}));
                       }};

/// Queries and keys are the same tokens, turned by their position in the sequence.
constexpr kernel turned_apart{
    "turned_apart", [](graph &g) {
      tensor x = g.input("x", f32, {1, 2, queries, 8}), of = offsets_of(g, "offsets");
      tensor cos = g.input("cos", f32, {512, 4}), sin = g.input("sin", f32, {512, 4});
      tensor turned = rotary(x, cos, sin, packed_positions(of, queries));
      g.output("y", attention(turned, turned, x, {.mask = packed_sequences(of, queries)}));
    }};
constexpr kernel turned_alone{"turned_alone", [](graph &g) {
                                tensor x = g.input("x", f32, {1, 2, queries, 8});
                                tensor cos = g.input("cos", f32, {1, queries, 4}),
                                       sin = g.input("sin", f32, {1, queries, 4});
                                tensor turned = rotary(x, cos, sin);
                                g.output("y", attention(turned, turned, x));
                              }};

const Kernels &compiled() {
  static const Kernels kernels{&apart, &alone, &turned_apart, &turned_alone};
  return kernels;
}

/// The cumulative sums of lengths, from 0.
Array cumulative(const std::vector<int64_t> &lengths) {
  std::vector<double> sums = {0};
  for (int64_t length : lengths)
    sums.push_back(sums.back() + double(length));
  return Array({int64_t(sums.size())}, sums, spec::dtype::i32);
}

int64_t at(const Array &offsets, size_t i) { return int64_t(offsets.at({int64_t(i)})); }

struct Packed {
  std::vector<int64_t> query_lengths, key_lengths;
  int64_t depth;
};

} // namespace
} // namespace heed::cases

// https://github.com/facebookresearch/xformers/issues/1042,
// https://github.com/Dao-AILab/flash-attention/issues/1713
TEST_CASE("packed sequences give what each gives alone, with lengths of 0 among them") {
  Packed made =
      GENERATE(Packed{{1, 2, 1, 2}, {0, 2, 0, 2}, 68}, Packed{{0, 5, 0}, {3, 5, 1}, 8},
               Packed{{70, 1, 130, 0, 64}, {70, 33, 200, 9, 64}, 16}, Packed{{1, 1, 1}, {40, 1, 300}, 16});
  Array of_q = cumulative(made.query_lengths), of_k = cumulative(made.key_lengths);
  const size_t count = made.query_lengths.size();
  const int64_t padding = 3; // tokens that belong to none
  Array q = Array::random({1, 2, at(of_q, count) + padding, made.depth}, 1),
        k = Array::random({1, 2, at(of_k, count) + padding, made.depth}, 2),
        v = Array::random({1, 2, at(of_k, count) + padding, made.depth}, 3);
  Array y = compiled()(apart, {q, k, v, of_q, of_k});
  for (size_t i = 0; i < count; ++i) {
    CAPTURE(i);
    const int64_t first = at(of_q, i), queries = made.query_lengths[i];
    const int64_t first_key = at(of_k, i), keys = made.key_lengths[i];
    if (queries == 0)
      continue;
    Array own = compiled()(
        alone, {q.slice(2, first, queries), k.slice(2, first_key, keys), v.slice(2, first_key, keys)});
    CHECK(difference(y.slice(2, first, queries), own) < 2e-6);
  }
  CHECK(y.slice(2, at(of_q, count), padding) == Array::filled({1, 2, padding, made.depth}, 0));
}

TEST_CASE("what stands in other sequences changes nothing") {
  Array of = cumulative({40, 90, 70});
  Array q = Array::random({1, 2, 200, 8}, 1), k = Array::random({1, 2, 200, 8}, 2),
        v = Array::random({1, 2, 200, 8}, 3);
  Array y = compiled()(apart, {q, k, v, of, of});
  for (int64_t token = 0; token < 200; ++token)
    if (token < 40 || token >= 130)
      for (int64_t h = 0; h < 2; ++h) {
        k.fill({0, h, token}, NAN);
        v.fill({0, h, token}, token % 2 ? 1e30 : INFINITY);
      }
  CHECK(compiled()(apart, {q, k, v, of, of}).slice(2, 40, 90) == y.slice(2, 40, 90));
}

TEST_CASE("positions of packed sequences begin anew") {
  Array of = cumulative({33, 80, 7}), x = Array::random({1, 2, 120, 8}, 1);
  Array cos = Array::random({512, 4}, 2), sin = Array::random({512, 4}, 3);
  Array y = compiled()(turned_apart, {x, of, cos, sin});
  for (size_t i = 0; i < 3; ++i) {
    const int64_t first = at(of, i), length = at(of, i + 1) - first;
    auto table = [&](const Array &all) { return all.slice(0, 0, length).reshaped({1, length, 4}); };
    Array own = compiled()(turned_alone, {x.slice(2, first, length), table(cos), table(sin)});
    CHECK(difference(y.slice(2, first, length), own) < 2e-6);
  }
}
