// Softmax and log-sum-exp: any sizes and strides against the naive evaluation.
#include "PagedArray.h"
#include "Rows.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace heed;
using namespace heed::kernels;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T> void fillNormal(PagedArray<T> &array, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  for (T &element : array)
    element = normal(generator);
}

} // namespace

/// Rows of one tile against double precision, with a sink or not, dense or with a stride; the columns of the
/// last rows hold -infinity only, one large entry, and a NaN.
template <class T> void checkSoftmax(const SoftmaxKernel &kernel, double tolerance) {
  const CpuTarget target = hostTarget();
  SoftmaxKernel logarithm = kernel;
  logarithm.name = "log_sum_exp";
  const LoadedTile softmax(buildSoftmax(kernel, target), target),
      logSumExp(buildLogSumExp(logarithm, target), target);
  const halide_type_t type = halide_type_of<T>();
  const int rows = 5;
  for (double sinkValue : {0.25, -double(INFINITY)})
    for (bool transposed : {false, true})
      for (int n : {0, 1, 2, 7, 15, 16, 17, 33, 100, 1000}) {
        PagedArray<T> x(n * rows), y(n * rows), sums(rows), sink(1);
        fillNormal(x, 3);
        sink[0] = sinkValue;
        const int64_t inner = transposed ? rows : 1, outer = transposed ? 1 : n;
        auto at = [&](int i, int row) -> T & { return x[i * inner + row * outer]; };
        for (int i = 0; i < n; ++i) {
          at(i, 2) = -infinity;
          at(i, 3) = i == n / 2 ? 60000.0f : -infinity;
        }
        if (n)
          at(n - 1, 4) = NAN;
        Operand from(x.data(), type, {{n, inner}, {rows, outer}}), to(y.data(), type, {{n, 1}, {rows, n}}),
            toSums(sums.data(), type, {{rows, 1}}), fromSink(sink.data(), type, {{1, 1}});
        ScratchContext scratch;
        std::vector<Operand *> operands = {&from};
        if (kernel.hasSink)
          operands.push_back(&fromSink);
        operands.push_back(&to);
        softmax(scratch, {}, operands);
        operands.back() = &toSums;
        logSumExp(scratch, {}, operands);
        INFO("n = " << n << ", transposed " << transposed << ", sink " << sinkValue);
        CHECK(y.untouchedBefore());
        CHECK(sums.untouchedBefore());
        for (int row = 0; row < rows; ++row) {
          double sum = kernel.hasSink ? std::exp(sinkValue) : 0;
          double largest = row == 3 && n ? 60000 : 0;
          if (largest > 0)
            sum = 0;
          for (int i = 0; i < n; ++i)
            sum += std::exp(double(at(i, row)) - largest);
          if (std::isnan(sum))
            CHECK(std::isnan(sums[row]));
          else if (sum == 0)
            CHECK(sums[row] == -INFINITY);
          else
            CHECK(sums[row] == Approx(largest + std::log(sum)).epsilon(tolerance).margin(tolerance));
          for (int i = 0; i < n; ++i) {
            const double right = std::exp(double(at(i, row)) - largest) / sum;
            if (sum != 0 && !std::isnan(right))
              CHECK(y[row * n + i] == Approx(right).epsilon(tolerance));
            else if (sum == 0 && !kernel.nanForEmpty)
              CHECK(y[row * n + i] == 0);
            else
              CHECK(std::isnan(y[row * n + i]));
          }
        }
      }
}

TEST_CASE("softmax and log-sum-exp, with empty rows, NaN and sinks", "[softmax]") {
  for (bool hasSink : {false, true})
    for (bool nanForEmpty : {false, true}) {
      INFO("sink " << hasSink << ", NaN for empty rows " << nanForEmpty);
      checkSoftmax<float>({"softmax", SoftmaxTypes::all(Halide::Float(32)), hasSink, nanForEmpty}, 1e-6);
      checkSoftmax<double>({"softmax", SoftmaxTypes::all(Halide::Float(64)), hasSink, nanForEmpty}, 1e-14);
    }
}
