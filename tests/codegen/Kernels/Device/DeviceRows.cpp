// Operations along rows on a device: any sizes and strides against the naive evaluation.
#include "Device/Rows.h"
#include "DeviceRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace heed;
using namespace heed::kernels;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr int rows = 5, batches = 4; ///< in the grid: 2 × 2, and an axis that cuts the rows
constexpr int gridRank = 3;
const std::vector<DeviceRowsSchedule> schedules = {{32, 1}, {8, 4}, {64, 2}, {1, 3}, {128, 1}};

template <class T> void fillNormal(DeviceArray<T> &array, unsigned seed, float mean = 0) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(mean);
  for (T &element : array)
    element = T(normal(generator));
}

using Axes = std::vector<DeviceArray<float>::Axis>;

/// Kernel axes, then those of the grid, where neighbours along its inner axis are `batch` elements apart.
template <class T> Halide::Buffer<> viewOf(DeviceArray<T> &array, Axes kernel, int batch) {
  std::vector<typename DeviceArray<T>::Axis> axes;
  for (const auto &axis : kernel)
    axes.push_back({axis.extent, axis.stride});
  axes.push_back({2, 2 * batch});
  axes.push_back({2, batch});
  axes.push_back({1, 0});
  return array.view(axes);
}

/// x(n, rows, batches), dense or with the rows innermost.
struct Layout {
  Layout(int n, bool transposed)
      : inner(transposed ? rows : 1), outer(transposed ? 1 : n), batch(n * rows), n(n) {}
  size_t operator()(int i, int row, int b) const { return size_t(i * inner + row * outer + b * batch); }
  template <class T> Halide::Buffer<> of(DeviceArray<T> &x) const {
    return viewOf(x, {{n, inner}, {rows, outer}}, batch);
  }
  int inner, outer, batch, n;
};

} // namespace

/// As on the CPU: the last rows hold -infinity only, one large entry, and a NaN. Rows of y lie apart.
template <class T>
static void checkSoftmax(const SoftmaxKernel &kernel, const DeviceRowsSchedule &schedule, double tolerance) {
  LoadedDevice softmax(buildDeviceSoftmax(kernel, gridRank, schedule, openCl())),
      logSumExp(buildDeviceLogSumExp(kernel, gridRank, schedule, openCl()));
  for (double sinkValue : {0.25, -double(infinity)})
    for (bool transposed : {false, true})
      for (int n : {1, 2, 7, 31, 33, 100, 1000}) {
        const Layout at(n, transposed);
        const int pitch = n + 3;
        DeviceArray<T> x(n * rows * batches), y(pitch * rows * batches, T(-77)),
            sums(2 * rows * batches, T(-77)), sink(1, T(sinkValue));
        fillNormal(x, 3);
        for (int b = 0; b < batches; ++b) {
          for (int i = 0; i < n; ++i) {
            x[at(i, 2, b)] = -infinity;
            x[at(i, 3, b)] = i == n / 2 ? T(60000) : T(-infinity);
          }
          x[at(n - 1, 4, b)] = NAN;
        }
        std::vector<Halide::Buffer<>> operands = {at.of(x)};
        if (kernel.hasSink)
          operands.push_back(viewOf(sink, {{1, 1}}, 0));
        operands.push_back(viewOf(y, {{n, 1}, {rows, pitch}}, pitch * rows));
        softmax(operands);
        operands.back() = viewOf(sums, {{rows, 2}}, 2 * rows);
        logSumExp(operands);
        INFO("n = " << n << ", transposed " << transposed << ", sink " << sinkValue);
        for (int b = 0; b < batches; ++b)
          for (int row = 0; row < rows; ++row) {
            double sum = kernel.hasSink ? std::exp(sinkValue) : 0;
            const double largest = row == 3 ? 60000 : 0;
            if (row == 3)
              sum = 0;
            for (int i = 0; i < n; ++i)
              sum += std::exp(double(x[at(i, row, b)]) - largest);
            const T logarithm = sums[2 * (row + rows * b)];
            if (std::isnan(sum))
              CHECK(std::isnan(logarithm));
            else if (sum == 0)
              CHECK(logarithm == -infinity);
            else
              CHECK(logarithm == Approx(largest + std::log(sum)).epsilon(tolerance).margin(tolerance));
            CHECK(sums[2 * (row + rows * b) + 1] == T(-77));
            for (int i = 0; i < pitch; ++i) {
              const T value = y[i + pitch * (row + rows * b)];
              if (i >= n) {
                CHECK(value == T(-77));
                continue;
              }
              const double right = std::exp(double(x[at(i, row, b)]) - largest) / sum;
              if (sum != 0 && !std::isnan(right))
                CHECK(value == Approx(right).epsilon(tolerance).margin(0));
              else if (sum == 0 && !kernel.nanForEmpty)
                CHECK(value == 0);
              else
                CHECK(std::isnan(value));
            }
          }
      }
}

TEST_CASE("softmax and log-sum-exp on a device, with empty rows, NaN and sinks", "[device][softmax]") {
  for (size_t n = 0; n < schedules.size(); ++n) {
    const bool hasSink = n % 2 != 0, nanForEmpty = n / 2 % 2 != 0;
    INFO(schedules[n].threads << " threads, " << schedules[n].rows << " rows");
    checkSoftmax<float>({"softmax", SoftmaxTypes::all(Halide::Float(32)), hasSink, nanForEmpty}, schedules[n],
                        2e-6);
  }
  checkSoftmax<double>({"softmax", SoftmaxTypes::all(Halide::Float(64)), true, false}, {32, 2}, 1e-14);
}

/// Small integers with ties; in floats also rows of -infinity, zeros of both signs, and a NaN.
template <class T> static void checkReduction(Reduction kind, const DeviceRowsSchedule &schedule) {
  const Halide::Type type = Halide::type_of<T>();
  const bool isIndex = kind == Reduction::Argmax;
  LoadedDevice reduce(buildDeviceReduction({"reduce", type, isIndex ? Halide::Int(32) : type, kind}, gridRank,
                                           schedule, openCl()));
  for (bool transposed : {false, true})
    for (int n : {1, 3, 64, 129, 1000}) {
      const Layout at(n, transposed);
      DeviceArray<T> x(n * rows * batches), y(rows * batches, T(77));
      DeviceArray<int32_t> indices(rows * batches, 77);
      std::mt19937 generator(n);
      for (T &element : x)
        element = T(int(generator() % 11) - 5);
      if (type.is_float())
        for (int b = 0; b < batches; ++b) {
          for (int i = 0; i < n; ++i) {
            x[at(i, 2, b)] = T(-infinity);
            x[at(i, 3, b)] = i % 2 ? T(-0.0f) : T(0.0f);
          }
          x[at(n / 2, 4, b)] = T(NAN);
        }
      reduce({at.of(x), isIndex ? viewOf(indices, {{rows, 1}}, rows) : viewOf(y, {{rows, 1}}, rows)});
      INFO("n = " << n << ", transposed " << transposed << ", " << type);
      for (int b = 0; b < batches; ++b)
        for (int row = 0; row < rows; ++row) {
          double sum = 0, largest = type.is_float() ? -infinity : double(std::numeric_limits<T>::lowest());
          int first = 0;
          for (int i = 0; i < n; ++i) {
            const double value = double(x[at(i, row, b)]);
            sum += value;
            if (value > largest || (std::isnan(value) && !std::isnan(largest))) {
              largest = value;
              first = i;
            }
          }
          if (isIndex) {
            CHECK(indices[row + rows * b] == first);
            continue;
          }
          const double value = double(y[row + rows * b]), right = kind == Reduction::Sum ? sum : largest;
          CHECK((value == right || (std::isnan(value) && std::isnan(right))));
        }
    }
}

TEST_CASE("sums, largest elements and the first of them on a device", "[device][reduction]") {
  for (Reduction kind : {Reduction::Sum, Reduction::Amax, Reduction::Argmax}) {
    for (const DeviceRowsSchedule &schedule : schedules)
      checkReduction<float>(kind, schedule);
    checkReduction<double>(kind, {32, 2});
    checkReduction<int32_t>(kind, {16, 1});
    checkReduction<int64_t>(kind, {16, 2});
  }
}

/// Rows around 100, constant, too large for squares, and with a NaN.
template <class T>
static void checkNorm(const NormKernel &kernel, const DeviceRowsSchedule &schedule, double tolerance) {
  LoadedDevice norm(buildDeviceNorm(kernel, gridRank, schedule, openCl()));
  const bool overflows = sizeof(T) == 4;
  for (bool transposed : {false, true})
    for (int n : {1, 3, 64, 129, 1000}) {
      const Layout at(n, transposed);
      DeviceArray<T> x(n * rows * batches), y(n * rows * batches, T(77)), gain(n), bias(n);
      fillNormal(x, n, 100);
      fillNormal(gain, 1);
      fillNormal(bias, 2);
      for (int b = 0; b < batches; ++b) {
        for (int i = 0; i < n; ++i) {
          x[at(i, 1, b)] = T(0.1f);
          x[at(i, 2, b)] = T(1e30f) * T(i % 2);
        }
        x[at(0, 4, b)] = NAN;
      }
      std::vector<Halide::Buffer<>> operands = {at.of(x)};
      if (kernel.hasGain)
        operands.push_back(viewOf(gain, {{n, 1}}, 0));
      if (kernel.hasBias)
        operands.push_back(viewOf(bias, {{n, 1}}, 0));
      operands.push_back(viewOf(y, {{n, 1}, {rows, n}}, n * rows));
      norm(operands);
      INFO("n = " << n << ", transposed " << transposed << ", centred " << kernel.centred);
      for (int b = 0; b < batches; ++b)
        for (int row = 0; row < rows; ++row) {
          double mean = 0, square = 0;
          for (int i = 0; i < n && kernel.centred; ++i)
            mean += double(x[at(i, row, b)]) / n;
          for (int i = 0; i < n; ++i)
            square += (double(x[at(i, row, b)]) - mean) * (double(x[at(i, row, b)]) - mean);
          const bool isTooLarge = overflows && square > double(std::numeric_limits<float>::max());
          const double scale = isTooLarge ? 0 : 1 / std::sqrt(square / n + kernel.epsilon);
          for (int i = 0; i < n; ++i) {
            double right = (double(x[at(i, row, b)]) - mean) * scale;
            right = right * (kernel.hasGain ? double(gain[i]) : 1) + (kernel.hasBias ? double(bias[i]) : 0);
            const T value = y[i + n * (row + rows * b)];
            if (std::isnan(right))
              CHECK(std::isnan(value));
            else
              CHECK(value == Approx(right).epsilon(tolerance).margin(tolerance));
          }
        }
    }
}

TEST_CASE("norms on a device, of constant rows, large rows and NaN", "[device][norm]") {
  for (bool centred : {false, true}) {
    const NormTypes f32 = NormTypes::all(Halide::Float(32)), f64 = NormTypes::all(Halide::Float(64));
    for (const DeviceRowsSchedule &schedule : schedules)
      checkNorm<float>({"norm", f32, centred, true, true, 1e-5}, schedule, 2e-5);
    checkNorm<float>({"norm", f32, centred, true, false, 1e-5}, {32, 2}, 2e-5);
    checkNorm<float>({"norm", f32, centred, false, false, 1e-5}, {32, 2}, 2e-5);
    checkNorm<double>({"norm", f64, centred, true, true, 1e-5}, {32, 2}, 1e-11);
  }
}
