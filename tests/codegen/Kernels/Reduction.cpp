// Sums, largest elements and where they are, of rows of any length, stride and type.
#include "PagedArray.h"
#include "Rows.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace heed::kernels;

namespace {

constexpr int rows = 6;
const std::vector<int> lengths = {0, 1, 2, 7, 15, 16, 17, 63, 64, 65, 100, 384, 1000};

/// Rows of small numbers: 1 has one large element, 2 is constant, 3 the lowest number, 4 and 5 hold NaN.
template <class T> struct Problem {
  int n;
  int64_t inner, outer;
  PagedArray<T> x;

  Problem(int n, bool transposed)
      : n(n), inner(transposed ? rows : 1), outer(transposed ? 1 : n), x(n * rows) {
    std::mt19937 generator(n);
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < n; ++i)
        at(i, row) = T(int(generator() % 2001) - 1000) / T(8);
    for (int i = 0; i < n; ++i) {
      at(i, 1) = i == n / 3 || i == n / 2 ? T(60000) : at(i, 1);
      at(i, 2) = T(7);
      at(i, 3) = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                      : std::numeric_limits<T>::lowest();
    }
    if (n && std::numeric_limits<T>::has_quiet_NaN) {
      at(n / 2, 4) = at(n - 1, 4) = std::numeric_limits<T>::quiet_NaN();
      at(n - 1, 5) = -std::numeric_limits<T>::quiet_NaN();
    }
  }

  T &at(int i, int row) { return x[i * inner + row * outer]; }

  int first(int row) {
    int best = 0;
    for (int i = 0; i < n; ++i) {
      if (std::isnan(double(at(i, row))))
        return i;
      best = at(i, row) > at(best, row) ? i : best;
    }
    return best;
  }

  template <class R> void run(const LoadedTile &tile, PagedArray<R> &y, int64_t step) {
    Operand from(x.data(), halide_type_of<T>(), {{n, inner}, {rows, outer}}),
        to(y.data(), halide_type_of<R>(), {{rows, step}});
    ScratchContext scratch;
    tile(scratch, {}, {&from, &to});
    CHECK(y.untouchedBefore());
  }
};

template <class T, class Check> void forEachProblem(const LoadedTile &tile, Check check) {
  for (int n : lengths)
    for (bool transposed : {false, true})
      for (int64_t step : {1, 3}) {
        INFO(n << " elements, " << (transposed ? "transposed" : "dense") << ", results " << step << " apart");
        Problem<T> problem(n, transposed);
        check(problem, tile, step);
      }
}

template <class T> LoadedTile tileOf(Reduction kind) {
  const CpuTarget target = hostTarget();
  return LoadedTile(buildReduction({"reduction", halide_type_of<T>(), halide_type_of<T>(), kind}, target),
                    target);
}

template <class T> void checkLargest() {
  constexpr T lowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                            : std::numeric_limits<T>::lowest();
  forEachProblem<T>(tileOf<T>(Reduction::Amax), [&](auto &problem, const LoadedTile &tile, int64_t step) {
    PagedArray<T> y(rows * step);
    problem.run(tile, y, step);
    for (int row = 0; row < rows; ++row) {
      const T want = problem.n ? problem.at(problem.first(row), row) : lowest;
      CHECK((y[row * step] == want || (std::isnan(double(want)) && std::isnan(double(y[row * step])))));
    }
  });
  forEachProblem<T>(tileOf<T>(Reduction::Argmax), [&](auto &problem, const LoadedTile &tile, int64_t step) {
    PagedArray<int32_t> y(rows * step);
    problem.run(tile, y, step);
    for (int row = 0; row < rows; ++row)
      CHECK(y[row * step] == problem.first(row));
  });
}

template <class T> void checkSum(double tolerance) {
  forEachProblem<T>(tileOf<T>(Reduction::Sum), [&](auto &problem, const LoadedTile &tile, int64_t step) {
    PagedArray<T> y(rows * step);
    problem.run(tile, y, step);
    for (int row : {0, 1, 2}) {
      long double sum = 0, size = 0;
      for (int i = 0; i < problem.n; ++i) {
        sum += problem.at(i, row);
        size += std::fabs((long double)(problem.at(i, row)));
      }
      CHECK(std::fabs((long double)(y[row * step]) - sum) <= tolerance * size);
    }
    CHECK((problem.n == 0 || !std::numeric_limits<T>::has_quiet_NaN || std::isnan(double(y[4 * step]))));
  });
}

} // namespace

TEST_CASE("sums of rows", "[rows]") {
  checkSum<float>(1e-6);
  checkSum<double>(1e-15);
  checkSum<int32_t>(0);
  checkSum<int64_t>(0);
}

TEST_CASE("the largest element of a row, and the first place where it is", "[rows]") {
  checkLargest<float>();
  checkLargest<double>();
  checkLargest<int32_t>();
  checkLargest<int64_t>();
}

TEST_CASE("a sum of integers wraps around", "[rows]") {
  PagedArray<int32_t> x(100), y(1);
  std::fill(x.begin(), x.end(), 1 << 30);
  Operand from(x.data(), halide_type_of<int32_t>(), {{100, 1}, {1, 100}}),
      to(y.data(), halide_type_of<int32_t>(), {{1, 1}});
  ScratchContext scratch;
  tileOf<int32_t>(Reduction::Sum)(scratch, {}, {&from, &to});
  CHECK(y[0] == int32_t(uint32_t(100) << 30));
}
