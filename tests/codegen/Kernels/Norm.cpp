// Norms of rows against double precision: sizes around the vectors, strides, empty and constant rows, NaN.
#include "PagedArray.h"
#include "Rows.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace heed::kernels;

namespace {

constexpr double epsilon = 1e-5;
constexpr int rows = 5;

/// Some rows and their parameters; row 1 is constant, row 2 lies far from 0, row 3 holds a NaN.
template <class T> struct Problem {
  int n;
  int64_t inner, outer, step; ///< strides of x; of gain and bias
  PagedArray<T> x, gain, bias, y;

  Problem(int n, bool transposed, int64_t step)
      : n(n), inner(transposed ? rows : 1), outer(transposed ? 1 : n), step(step), x(n * rows),
        gain(n * step), bias(n * step), y(n * rows) {
    std::mt19937 generator(n);
    std::normal_distribution<double> normal;
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < n; ++i)
        at(i, row) = T(row == 1 ? 1000.1 : row == 2 ? 300 + normal(generator) : normal(generator));
    if (n)
      at(n - 1, 3) = NAN;
    for (int i = 0; i < n; ++i) {
      gain[i * step] = T(1 + 0.1 * normal(generator));
      bias[i * step] = T(normal(generator));
    }
  }

  T &at(int i, int row) { return x[i * inner + row * outer]; }

  double expected(const NormKernel &kernel, int i, int row) {
    long double mean = 0, squares = 0;
    for (int j = 0; j < n && kernel.centred; ++j)
      mean += (long double)(at(j, row)) / n;
    for (int j = 0; j < n; ++j)
      squares += (at(j, row) - mean) * (at(j, row) - mean);
    // Its mean is not exact here.
    if (kernel.centred && row == 1)
      return kernel.hasBias ? double(bias[i * step]) : 0;
    const double norm = (at(i, row) - mean) / std::sqrt(squares / n + kernel.epsilon);
    return norm * (kernel.hasGain ? double(gain[i * step]) : 1) +
           (kernel.hasBias ? double(bias[i * step]) : 0);
  }
};

template <class T>
void runAndCheck(const LoadedTile &tile, const NormKernel &kernel, Problem<T> &problem, double tolerance) {
  const halide_type_t type = kernel.types.input;
  const int n = problem.n;
  Operand x(problem.x.data(), type, {{n, problem.inner}, {rows, problem.outer}}),
      gain(problem.gain.data(), type, {{n, problem.step}}),
      bias(problem.bias.data(), type, {{n, problem.step}}), y(problem.y.data(), type, {{n, 1}, {rows, n}});
  std::vector<Operand *> operands{&x};
  if (kernel.hasGain)
    operands.push_back(&gain);
  if (kernel.hasBias)
    operands.push_back(&bias);
  operands.push_back(&y);
  ScratchContext scratch;
  tile(scratch, {}, operands);
  CHECK(problem.y.untouchedBefore());
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < n; ++i) {
      const double want = problem.expected(kernel, i, row), have = double(problem.y[row * n + i]);
      INFO("row " << row << ", element " << i << ": " << have << ", expected " << want);
      REQUIRE(std::isnan(want) == std::isnan(have));
      if (!std::isnan(want))
        REQUIRE(std::fabs(have - want) <= tolerance * (1 + std::fabs(want)));
      if (kernel.centred && row == 1)
        REQUIRE(have == want);
    }
}

template <class T> void check(const NormKernel &kernel, double tolerance) {
  const CpuTarget target = hostTarget();
  const LoadedTile tile(buildNorm(kernel, target), target);
  for (int n : {0, 1, 2, 7, 16, 17, 63, 64, 65, 100, 384, 512, 1000})
    for (bool transposed : {false, true})
      for (int step : {1, 3}) {
        INFO(n << " elements, " << (transposed ? "transposed" : "dense") << ", parameters " << step
               << " apart");
        Problem<T> problem(n, transposed, step);
        runAndCheck(tile, kernel, problem, tolerance);
      }
}

} // namespace

TEST_CASE("norms of rows, with and without gain and bias", "[norm]") {
  for (bool hasGain : {false, true}) {
    for (bool hasBias : {false, true}) {
      if (hasBias && !hasGain)
        continue;
      INFO("layer_norm, gain " << hasGain << ", bias " << hasBias);
      check<float>({"layer_norm", NormTypes::all(Halide::Float(32)), true, hasGain, hasBias, epsilon}, 2e-6);
      check<double>({"layer_norm", NormTypes::all(Halide::Float(64)), true, hasGain, hasBias, epsilon},
                    1e-13);
    }
    INFO("rms_norm, gain " << hasGain);
    check<float>({"rms_norm", NormTypes::all(Halide::Float(32)), false, hasGain, false, epsilon}, 1e-6);
  }
}

TEST_CASE("the deviations of a row of large numbers overflow together", "[norm]") {
  const CpuTarget target = hostTarget();
  const NormKernel kernel{"layer_norm", NormTypes::all(Halide::Float(32)), true, true, true, epsilon};
  const LoadedTile tile(buildNorm(kernel, target), target);
  for (float size : {1e17f, 1e30f}) {
    Problem<float> problem(100, false, 1);
    for (int i = 0; i < problem.n; ++i)
      problem.at(i, 0) = i % 2 ? size : -size;
    const halide_type_t type = kernel.types.input;
    Operand x(problem.x.data(), type, {{100, 1}, {1, 100}}), gain(problem.gain.data(), type, {{100, 1}}),
        bias(problem.bias.data(), type, {{100, 1}}), y(problem.y.data(), type, {{100, 1}, {1, 100}});
    ScratchContext scratch;
    tile(scratch, {}, {&x, &gain, &bias, &y});
    for (int i = 0; i < problem.n; ++i) {
      const double norm = size > 1e20f ? 0 : i % 2 ? 1 : -1;
      CHECK(problem.y[i] == Approx(norm * problem.gain[i] + problem.bias[i]).margin(1e-5));
    }
  }
}
