// Where causal masks begin, and what windows include. All queries are 0, so that rows are means of what they
// see.
#include "Kernels.h"
#include "attention_kernels.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::Kernels;
using heed::tests::Shape;

namespace heed::cases {
namespace {

constexpr kernel top_left{"top_left", [](graph &g) { g.output("y", attend(inputs(g), {.mask = causal()})); }};
constexpr kernel bottom_right{
    "bottom_right",
    [](graph &g) { g.output("y", attend(inputs(g), {.mask = causal_bottom_right(queries, keys)})); }};
template <int left, int right> constexpr auto windowed(const char *name) {
  return kernel{name,
                [](graph &g) { g.output("y", attend(inputs(g), {.mask = sliding_window(left, right)})); }};
}
constexpr auto own_key = windowed<0, 0>("own_key");
constexpr auto one_back = windowed<1, 0>("one_back");
constexpr auto one_ahead = windowed<0, 1>("one_ahead");
constexpr auto all_back = windowed<-1, 0>("all_back");

const Kernels &compiled() {
  static const Kernels kernels{&top_left, &bottom_right, &own_key, &one_back, &one_ahead, &all_back};
  return kernels;
}

/// Rows of a kernel where all scores are 0.
std::vector<double> rows(const spec::graph &kernel, int64_t queries, const std::vector<double> &values) {
  int64_t keys = int64_t(values.size());
  return compiled()(kernel, {Array::filled({1, 1, queries, 2}, 0), Array::random({1, 1, keys, 2}, 1),
                             Array({1, 1, keys, 1}, values)})
      .elements();
}

/// The mean of values first to last, cut to what exists; 0 where there is none.
double mean(const std::vector<double> &values, int64_t first, int64_t last) {
  double sum = 0, count = 0;
  for (int64_t i = std::max<int64_t>(first, 0); i <= std::min(last, int64_t(values.size()) - 1); ++i, ++count)
    sum += values[i];
  return count > 0 ? sum / count : 0;
}

} // namespace
} // namespace heed::cases

using Rows = std::vector<double>;

// https://github.com/microsoft/onnxruntime/issues/29020, https://github.com/ml-explore/mlx/issues/2835
TEST_CASE("fewer queries than keys: each corner is what its name says") {
  CHECK(rows(top_left, 1, {0, 1, 2, 3}) == Rows{0});
  CHECK(rows(bottom_right, 1, {0, 1, 2, 3}) == Rows{1.5});
  CHECK(rows(top_left, 2, {0, 1, 2, 3}) == Rows{0, 0.5});
  CHECK(rows(bottom_right, 2, {0, 1, 2, 3}) == Rows{1, 1.5});
}

// https://github.com/Dao-AILab/flash-attention/issues/1778
TEST_CASE("more queries than keys: the bottom right corner leaves the first rows empty") {
  CHECK(rows(bottom_right, 4, {10, 20}) == Rows{0, 0, 10, 15});
  CHECK(rows(top_left, 4, {10, 20}) == Rows{10, 15, 15, 15});
}

TEST_CASE("corners of other sizes") {
  int64_t queries = GENERATE(1, 2, 5, 33, 100), keys = GENERATE(1, 7, 64, 100);
  Rows values(keys);
  for (int64_t i = 0; i < keys; ++i)
    values[i] = double(i * i % 11);
  Rows first = rows(top_left, queries, values), last = rows(bottom_right, queries, values);
  for (int64_t i = 0; i < queries; ++i) {
    CHECK(first[i] == Approx(mean(values, 0, i)).margin(1e-5));
    CHECK(last[i] == Approx(mean(values, 0, i + keys - queries)).margin(1e-5));
  }
}

// https://github.com/jax-ml/jax/issues/32300, https://github.com/jax-ml/jax/issues/39576
TEST_CASE("windows without another mask") {
  CHECK(rows(own_key, 4, {0, 1, 2, 3}) == Rows{0, 1, 2, 3});
  CHECK(rows(one_back, 4, {0, 1, 2, 3}) == Rows{0, 0.5, 1.5, 2.5});
  CHECK(rows(one_ahead, 4, {0, 1, 2, 3}) == Rows{0.5, 1.5, 2.5, 3});
  CHECK(rows(all_back, 4, {0, 1, 2, 3}) == Rows{0, 0.5, 1, 1.5});
}

TEST_CASE("windows of more queries than keys see nothing behind the last key") {
  CHECK(rows(own_key, 4, {5, 6}) == Rows{5, 6, 0, 0});
  CHECK(rows(one_back, 4, {5, 6}) == Rows{5, 5.5, 6, 0});
}
