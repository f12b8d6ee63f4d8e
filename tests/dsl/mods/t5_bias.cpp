#include "../library.hpp"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace heed::testing;

namespace {

/// The first distances of buckets, as the formula gives them; where its value is whole they are exact too.
std::vector<int> first_distances(int buckets, double max_distance) {
  std::vector<int> result;
  const int exact = buckets / 2;
  for (int i = 0; i <= exact; ++i)
    result.push_back(i);
  for (int j = 1; j < buckets - exact; ++j)
    result.push_back(static_cast<int>(std::ceil(
        exact * std::pow(max_distance / exact, static_cast<double>(j) / (buckets - exact)) - 1e-9)));
  return result;
}

int bucket_of(const std::vector<int> &first, int distance) {
  int bucket = 0;
  while (bucket + 1 < static_cast<int>(first.size()) && distance >= first[bucket + 1])
    ++bucket;
  return bucket;
}

} // namespace

TEST_CASE("buckets of T5's published sizes") {
  CHECK(first_distances(16, 128) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91});
  constexpr detail::t5_buckets buckets{8, 16, 128};
  for (int j = 1; j < 8; ++j)
    CHECK(buckets.first_distance(j) == first_distances(16, 128)[8 + j]);
  constexpr detail::t5_buckets large{32, 64, 1000000};
  for (int j = 1; j < 32; ++j)
    CHECK(large.first_distance(j) == first_distances(64, 1e6)[32 + j]);
}

TEST_CASE("t5_bias looks up buckets of both directions") {
  constexpr auto &both = changed<2, [](graph &g) { return t5_bias(g.weight("table", f32, {32, 2})); }>;
  const array table = mixed({32, 2}, 4);
  const std::vector<int> first = first_distances(16, 128);
  check_score_mod(both, {{"table", table}}, {1, 2, 3, 140}, [&](double s, int, int h, int q, int k) {
    return s + table.at({bucket_of(first, std::abs(q - k)) + (k > q ? 16 : 0), h});
  });
}

TEST_CASE("t5_bias of causal scores has all its buckets before the query") {
  constexpr auto &one = changed<1, [](graph &g) {
    return t5_bias(g.weight("table", f32, {8, 1}), {.bidirectional = false, .max_distance = 20});
  }>;
  const array table = mixed({8, 1}, 5);
  const std::vector<int> first = first_distances(8, 20);
  check_score_mod(one, {{"table", table}}, {1, 1, 30, 4}, [&](double s, int, int, int q, int k) {
    return s + table.at({bucket_of(first, std::max(q - k, 0)), 0});
  });
}

TEST_CASE("t5_bias says what does not fit") {
  CHECK(fault([](graph &g) { t5_bias(g.weight("table", f32, {30, 2})); }) ==
        "t5_bias: the table is (30,2), a multiple of 4 buckets up to 128 is needed");
  CHECK(fault([](graph &g) { t5_bias(g.weight("table", f32, {heads, 2})); }) ==
        "t5_bias: the table is (heads,2), a multiple of 4 buckets up to 128 is needed");
  CHECK(fault([](graph &g) { t5_bias(g.weight("table", f32, {32, 2}), {.max_distance = 8}); }) ==
        "t5_bias: the greatest distance is 8, a number above 8 and up to 1048576 is needed");
  CHECK(fault([](graph &g) { t5_bias(g.weight("table", i32, {32, 2})); }) ==
        "t5_bias: the table is (32,2) of i32, floats of shape (buckets, heads) are needed");
}
