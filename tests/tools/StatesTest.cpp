// What verify and bench do with kernels that change a state.
#include "Arrays/IntegerRanges.h"
#include "Arrays/RandomInputs.h"
#include "Verify/VerifyCase.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>
#include <set>

using namespace heed;
using namespace heed::tools;
using Catch::Matchers::Contains;

namespace {

constexpr heed::extent n{"n"}, capacity{"capacity"};

/// Rows of 3 go into a cache; the output is their double.
constexpr kernel appended{"appended", [](graph &g) {
                            tensor rows = g.input("rows", f32, {n, 3}), position = g.scalar("position", i64);
                            append(g.state("cache", f32, {capacity, 3}), rows, position, 0);
                            g.output("y", rows * 2.0);
                          }};

int argument(std::string_view name) {
  const spec::graph &graph = appended;
  for (int node : reference::argumentNodes(graph))
    if (name == graph.nodes[node].name)
      return node;
  return -1;
}

float &element(const heed_view &view, std::int64_t i, std::int64_t j) {
  return static_cast<float *>(view.data)[i * view.strides[0] + j * view.strides[1]];
}

/// The kernel by hand, then whatever `spoil` does to the cache.
template <typename F> VerifyOutcome verifyWith(F spoil, int seed = 1) {
  std::mt19937_64 random(seed);
  return verifyCase(
      appended,
      [&](std::span<const heed_view> arguments) {
        const heed_view &rows = arguments[0], &cache = arguments[2], &y = arguments[3];
        std::int64_t position = *static_cast<std::int64_t *>(arguments[1].data);
        for (std::int64_t i = 0; i < rows.extents[0]; ++i)
          for (std::int64_t j = 0; j < 3; ++j) {
            element(cache, position + i, j) = element(rows, i, j);
            element(y, i, j) = 2 * element(rows, i, j);
          }
        spoil(cache, position);
      },
      {2, 9}, random);
}

} // namespace

TEST_CASE("what a call leaves in a state is compared with the reference") {
  for (int seed = 0; seed < 50; ++seed) {
    VerifyOutcome outcome = verifyWith([](const heed_view &, std::int64_t) {}, seed);
    CHECK(outcome.wrong == "");
  }
  VerifyOutcome outcome = verifyWith(
      [](const heed_view &cache, std::int64_t position) { element(cache, position + 1, 2) += 0.001f; });
  CHECK_THAT(outcome.wrong, Contains("cache(") && Contains(", 2): got "));
}

TEST_CASE("rows that are not appended keep their bits") {
  for (int seed = 0; seed < 20; ++seed) {
    std::int64_t row = -1;
    VerifyOutcome outcome = verifyWith(
        [&](const heed_view &cache, std::int64_t position) {
          row = position > 0 ? position - 1 : position + 2;
          element(cache, row, 1) = std::nextafterf(element(cache, row, 1), 100);
        },
        seed);
    CHECK(outcome.wrong == "cache: row " + std::to_string(row) + " was changed, which is not appended");
  }
}

TEST_CASE("writes beside a state are noticed") {
  VerifyOutcome outcome =
      verifyWith([](const heed_view &cache, std::int64_t) { static_cast<float *>(cache.data)[-1] = 0; });
  CHECK(outcome.wrong == "cache: memory outside of the state was written to");
}

TEST_CASE("positions are drawn from the first to the last at which rows fit") {
  CHECK(largestPosition(appended, argument("position"), {2, 9}) == 7);
  CHECK(largestPosition(appended, argument("position"), {9, 2}) == -7);
  CHECK_FALSE(largestPosition(appended, argument("rows"), {2, 9}));
  CHECK(rowsFit(appended, {9, 9}));
  CHECK_FALSE(rowsFit(appended, {10, 9}));
  std::set<double> seen;
  for (int seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    seen.insert(static_cast<double>(drawForVerify(appended, argument("position"), {2, 9}, random).at(0)));
  }
  CHECK(seen.size() == 8);
  CHECK(*seen.begin() == 0);
  CHECK(*seen.rbegin() == 7);
  std::mt19937_64 random(1);
  CHECK(drawForBench(appended, argument("position"), {2, 9}, random).at(0) == 7);
  for (int seed = 0; seed < 50; ++seed)
    CHECK(rowsFit(appended, drawSizes(appended, {-1, -1}, 1e6, random)));
}
