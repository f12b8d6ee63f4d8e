// Tensors that a score program reads along the keys, though their keys are not neighbours in memory.
#include "Kernels.h"
#include "attention_kernels.hpp"
#include "naive.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

constexpr kernel by_query{"by_query", [](graph &g) {
                            operands x = inputs(g);
                            tensor table = g.input("table", f32, {keys, queries});
                            g.output("y",
                                     attend(x, {.score_mod = [table](value s, index, index, index q,
                                                                     index k) { return s + table(k, q); }}));
                          }};
constexpr kernel permuted{"permuted", [](graph &g) {
                            operands x = inputs(g);
                            tensor table = transpose(g.input("table", f32, {keys, queries}));
                            g.output("y",
                                     attend(x, {.score_mod = [table](value s, index, index, index q,
                                                                     index k) { return s + table(q, k); }}));
                          }};
constexpr kernel by_head{"by_head", [](graph &g) {
                           operands x = inputs(g);
                           tensor table = g.input("table", f32, {keys, heads});
                           g.output("y",
                                    attend(x, {.score_mod = [table](value s, index, index h, index, index k) {
                                             return s + table(k, h);
                                           }}));
                         }};
constexpr kernel first_column{
    "first_column", [](graph &g) {
      operands x = inputs(g);
      tensor table = g.input("table", f32, {keys, 7});
      g.output("y", attend(x, {.score_mod = [table](value s, index, index, index, index k) {
                             return s + table(k, k * 0);
                           }}));
    }};

const Kernels &compiled() {
  static const Kernels kernels{&by_query, &permuted, &by_head, &first_column};
  return kernels;
}

} // namespace
} // namespace heed::cases

TEST_CASE("tables are read along any of their axes") {
  const int64_t queries = GENERATE(1, 20, 150), keys = 70;
  Array q = Array::random({2, 3, queries, 16}, 1), k = Array::random({2, 3, keys, 16}, 2),
        v = Array::random({2, 3, keys, 8}, 3);
  auto check = [&](const spec::graph &kernel, const Array &table, auto element) {
    CAPTURE(kernel.name, queries);
    Array y = compiled()(kernel, {q, k, v, table});
    CHECK(difference(y, naive(q, k, v, 1,
                              [&](double s, const Position &at) { return s + element(table, at); })) < 2e-6);
  };
  Array square = Array::random({keys, queries}, 4);
  auto turned = [](const Array &table, const Position &at) { return table.at({at.k, at.q}); };
  check(by_query, square, turned);
  check(permuted, square, turned);
  check(by_head, Array::random({keys, 3}, 5),
        [](const Array &table, const Position &at) { return table.at({at.k, at.h}); });
  check(first_column, Array::random({keys, 7}, 6),
        [](const Array &table, const Position &at) { return table.at({at.k, 0}); });
}
