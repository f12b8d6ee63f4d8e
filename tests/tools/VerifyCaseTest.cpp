// Kernels by hand, right and wrong in every way that `heed verify` has to notice.
#include "Verify/VerifyCase.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;
using namespace heed::tools;
using Catch::Matchers::Contains;

namespace {

constexpr heed::extent m{"m"}, n{"n"};

constexpr kernel doubled{"doubled", [](graph &g) { g.output("y", g.input("x", f32, {m, n}) * 2.0); }};

float &element(const heed_view &view, std::int64_t i, std::int64_t j) {
  return static_cast<float *>(view.data)[i * view.strides[0] + j * view.strides[1]];
}

/// y = 2 x, then whatever `spoil` does.
template <typename F> VerifyOutcome verifyWith(F spoil, int seed = 1) {
  std::mt19937_64 random(seed);
  return verifyCase(
      doubled,
      [&](std::span<const heed_view> arguments) {
        const heed_view &x = arguments[0], &y = arguments[1];
        for (std::int64_t i = 0; i < x.extents[0]; ++i)
          for (std::int64_t j = 0; j < x.extents[1]; ++j)
            element(y, i, j) = 2 * element(x, i, j);
        spoil(x, y);
      },
      {3, 5}, random);
}

} // namespace

TEST_CASE("a right kernel passes in every layout") {
  for (int seed = 0; seed < 50; ++seed) {
    VerifyOutcome outcome = verifyWith([](const heed_view &, const heed_view &) {}, seed);
    CHECK(outcome.wrong.empty());
    CHECK(outcome.difference == 0);
  }
}

TEST_CASE("a wrong element is named") {
  VerifyOutcome outcome =
      verifyWith([](const heed_view &, const heed_view &y) { element(y, 1, 4) += 0.001f; });
  CHECK_THAT(outcome.wrong, Contains("y(1, 4): got ") && Contains(", expected "));
  CHECK(outcome.difference == Approx(0.001).epsilon(0.01));
}

TEST_CASE("an element that is not written is NaN") {
  VerifyOutcome outcome =
      verifyWith([](const heed_view &, const heed_view &y) { element(y, 2, 0) = std::nanf(""); });
  CHECK_THAT(outcome.wrong, Contains("y(2, 0): got nan"));
}

TEST_CASE("writes beside the output and into inputs are noticed") {
  VerifyOutcome outcome =
      verifyWith([](const heed_view &, const heed_view &y) { static_cast<float *>(y.data)[-1] = 0; });
  CHECK(outcome.wrong == "y: memory outside of the output was written to");
  outcome = verifyWith([](const heed_view &x, const heed_view &) { element(x, 0, 0) += 1; });
  CHECK(outcome.wrong == "x: an input was written to");
}
