/// Two attentions over parts of the keys, merged.

#include <heed/merge.hpp>

#include "table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <random>

using namespace heed::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// An attention in double precision over the keys that `sees` lets a query see.
struct result {
  std::vector<float> output, lse;
};
struct problem {
  int heads = 3, queries = 70, keys = 40, width = 5;
  std::vector<float> scores, values;

  problem() : scores(heads * queries * keys), values(heads * keys * width) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 3);
    for (float &x : scores)
      x = normal(random);
    for (float &x : values)
      x = normal(random);
  }

  result attend(const std::function<bool(int q, int k)> &sees) const {
    result all{std::vector<float>(heads * queries * width), std::vector<float>(heads * queries)};
    for (int row = 0; row < heads * queries; ++row) {
      double total = 0;
      std::vector<double> sums(width);
      for (int k = 0; k < keys; ++k)
        if (sees(row % queries, k)) {
          const double weight = std::exp(static_cast<double>(scores[row * keys + k]));
          total += weight;
          for (int i = 0; i < width; ++i)
            sums[i] += weight * values[(row / queries * keys + k) * width + i];
        }
      all.lse[row] = static_cast<float>(std::log(total));
      for (int i = 0; i < width; ++i)
        all.output[row * width + i] = total > 0 ? static_cast<float>(sums[i] / total) : 0;
    }
    return all;
  }

  heed::view<const float, 4> output(const result &r) const {
    return {r.output.data(), {1, heads, queries, width}};
  }
  heed::view<const float, 3> lse(const result &r) const { return {r.lse.data(), {1, heads, queries}}; }

  result merge(const result &first, const result &second, int threads = 1) const {
    guarded output(heads * queries * width), lse(heads * queries);
    const heed::status status =
        heed::merge({this->output(first), this->lse(first)}, {this->output(second), this->lse(second)},
                    {{output.data(), {1, heads, queries, width}}, {lse.data(), {1, heads, queries}}},
                    {.threads = threads});
    INFO(status.message());
    REQUIRE(status.ok());
    result merged;
    for (std::int64_t i = 0; i < output.size(); ++i)
      merged.output.push_back(output[i]);
    for (std::int64_t i = 0; i < lse.size(); ++i)
      merged.lse.push_back(lse[i]);
    return merged;
  }
};

void check_near(const std::vector<float> &got, const std::vector<float> &expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i])
      CHECK(got[i] == Approx(expected[i]).margin(1e-5));
}

} // namespace

TEST_CASE("a window and its complement merged are the full attention") {
  const problem p;
  const auto window = [](int q, int k) { return k <= q && k > q - 8; };
  const result merged = p.merge(p.attend(window), p.attend([&](int q, int k) { return !window(q, k); }));
  const result full = p.attend([](int, int) { return true; });
  check_near(merged.output, full.output);
  check_near(merged.lse, full.lse);
}

TEST_CASE("merging is symmetric, and the same on any number of threads") {
  const problem p;
  const result even = p.attend([](int, int k) { return k % 2 == 0; }),
               odd = p.attend([](int, int k) { return k % 2 != 0; }), merged = p.merge(even, odd);
  CHECK(p.merge(odd, even).output == merged.output);
  CHECK(p.merge(even, odd, 4).output == merged.output);
  CHECK(p.merge(even, odd, 4).lse == merged.lse);
}

TEST_CASE("a part without keys changes nothing, whatever its output holds; two make an empty row") {
  const problem p;
  const result some = p.attend([](int q, int) { return q % 3 != 0; });
  result none = p.attend([](int, int) { return false; });
  std::fill(none.output.begin(), none.output.end(), std::numeric_limits<float>::quiet_NaN());
  for (const result &merged : {p.merge(some, none), p.merge(none, some)}) {
    CHECK(merged.output == some.output);
    CHECK(merged.lse == some.lse);
  }
  CHECK(p.merge(some, none).lse[0] == -infinity);
}

TEST_CASE("far log-sum-exps and NaN") {
  problem p;
  p.heads = p.queries = p.width = 1;
  const auto merged = [&](float l1, float l2) { return p.merge({{1}, {l1}}, {{3}, {l2}}); };
  CHECK(merged(-6e4f, -6e4f).output[0] == 2);
  CHECK(merged(-6e4f, -6e4f).lse[0] == Approx(-6e4 + std::log(2)));
  CHECK(merged(1e30f, -1e30f).output[0] == 1);
  CHECK(merged(1e30f, -1e30f).lse[0] == 1e30f);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const result &r : {merged(nan, 0), merged(0, nan), merged(nan, -infinity), merged(-infinity, nan)}) {
    CHECK(std::isnan(r.output[0]));
    CHECK(std::isnan(r.lse[0]));
  }
}

TEST_CASE("merge takes strided views and doubles, and refuses what does not fit") {
  // Outputs as (queries, heads, width) in memory.
  double first[] = {1, 2, 3, 4}, second[] = {5, 6, 7, 8}, lse[] = {0, 0}, output[4], merged_lse[2];
  const heed::view<const double, 4> a{first, {1, 1, 2, 2}}, b{second, {1, 1, 2, 2}, {0, 0, 2, 1}};
  const heed::view<const double, 3> l{lse, {1, 1, 2}};
  REQUIRE(heed::merge({a, l}, {b, l}, {{output, {1, 1, 2, 2}}, {merged_lse, {1, 1, 2}}}).ok());
  CHECK(output[3] == 6);
  CHECK(merged_lse[1] == Approx(std::log(2)));

  heed_status status;
  CHECK(heed_merge(a, l, b, heed::view<const double, 3>{lse, {1, 2, 1}}, heed::view{output, {1, 1, 2, 2}},
                   heed::view{merged_lse, {1, 1, 2}}, nullptr, &status) == HEED_INVALID_ARGUMENT);
  CHECK(std::string(status.message) ==
        "second_lse: axis 1 (heads) is 2, first says heads is 1; pass tensors whose heads agree");
  CHECK(heed_merge(a, l, b, l, heed::view{first, {1, 1, 2, 2}}, heed::view{merged_lse, {1, 1, 2}}, nullptr,
                   &status) == HEED_INVALID_ARGUMENT);
  CHECK(
      std::string(status.message) ==
      "merged: its memory overlaps that of first, an output needs memory of its own; pass a separate buffer");
}
