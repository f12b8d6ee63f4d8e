// The general path: any sizes and strides against the naive evaluation.
#include "General.h"
#include "PagedArray.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace heed;
using namespace heed::kernels;
using Exprs = std::vector<Halide::Expr>;

namespace {

const halide_type_t f32 = halide_type_of<float>();
constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T> void fillNormal(PagedArray<T> &array, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  for (T &element : array)
    element = normal(generator);
}

} // namespace

template <class T> void checkMatmul(double tolerance) {
  const halide_type_t type = halide_type_of<T>();
  const CpuTarget target = hostTarget();
  const LoadedTile tile(
      buildMatmul({"matmul", MatmulTypes::all(type)}, defaultMatmulSchedule(target.lanes), target), target);
  for (bool leftTransposed : {false, true})
    for (bool rightTransposed : {false, true})
      for (auto [m, n, k] :
           {std::array{1, 1, 1}, {16, 128, 64}, {7, 13, 5}, {16, 33, 100}, {3, 0, 4}, {0, 3, 4}, {3, 4, 0}}) {
        PagedArray<T> a(m * k), b(k * n), y(m * n);
        fillNormal(a, 1);
        fillNormal(b, 2);
        const int64_t aInner = leftTransposed ? m : 1, aOuter = leftTransposed ? 1 : k;
        const int64_t bInner = rightTransposed ? k : 1, bOuter = rightTransposed ? 1 : n;
        Operand left(a.data(), type, {{k, aInner}, {m, aOuter}}),
            right(b.data(), type, {{n, bInner}, {k, bOuter}}), out(y.data(), type, {{n, 1}, {m, n}});
        ScratchContext scratch;
        tile(scratch, {}, {&left, &right, &out});
        INFO(m << "x" << k << "x" << n << ", " << leftTransposed << rightTransposed);
        CHECK(y.untouchedBefore());
        for (int row = 0; row < m; ++row)
          for (int column = 0; column < n; ++column) {
            double sum = 0;
            for (int d = 0; d < k; ++d)
              sum += double(a[d * aInner + row * aOuter]) * double(b[column * bInner + d * bOuter]);
            CHECK(y[row * n + column] == Approx(sum).epsilon(tolerance).margin(tolerance));
          }
      }
}

TEST_CASE("matmul of any size and stride", "[general]") {
  checkMatmul<float>(1e-5);
  checkMatmul<double>(1e-13);
}

TEST_CASE("map broadcasts every operand along any axis", "[general]") {
  const CpuTarget target = hostTarget();
  MapKernel kernel{"map",
                   4,
                   {Halide::UInt(8), Halide::Float(32)},
                   Halide::Float(32),
                   {},
                   [](const OperandAt &e, const Exprs &, const Exprs &) {
                     return select(e(0, {}) != 0, e(1, {}), -infinity);
                   }};
  const LoadedTile tile(buildMap(kernel, defaultMapSchedule(target.lanes), target), target);
  const int64_t extents[] = {37, 3, 2, 2};
  for (int pattern = 0; pattern < 16; ++pattern) {
    int64_t strides[4], size = 1;
    for (int axis = 0; axis < 4; ++axis) {
      strides[axis] = pattern >> axis & 1 ? size : 0;
      size *= pattern >> axis & 1 ? extents[axis] : 1;
    }
    PagedArray<uint8_t> mask(size);
    for (int64_t n = 0; n < size; ++n)
      mask[n] = n % 3 == 1 ? 0 : n % 250 + 1;
    PagedArray<float> x(37 * 3 * 2 * 2), y(37 * 3 * 2 * 2);
    fillNormal(x, 4);
    Operand condition(mask.data(), halide_type_of<uint8_t>(),
                      {{37, strides[0]}, {3, strides[1]}, {2, strides[2]}, {2, strides[3]}}),
        value(x.data(), f32, {{37, 1}, {3, 37}, {2, 111}, {2, 222}}),
        out(y.data(), f32, {{37, 1}, {3, 37}, {2, 111}, {2, 222}});
    ScratchContext scratch;
    tile(scratch, {}, {&condition, &value, &out});
    INFO("pattern " << pattern);
    CHECK(y.untouchedBefore());
    for (int n = 0; n < 37 * 3 * 2 * 2; ++n) {
      const int64_t at =
          n % 37 * strides[0] + n / 37 % 3 * strides[1] + n / 111 % 2 * strides[2] + n / 222 * strides[3];
      CHECK(y[n] == (mask[at] ? x[n] : -infinity));
    }
  }
}

TEST_CASE("map of one axis, with another result type", "[general]") {
  const CpuTarget target = hostTarget();
  MapKernel kernel{
      "isPositive",    1,  {Halide::Float(32)},
      Halide::UInt(8), {}, [](const OperandAt &e, const Exprs &, const Exprs &) { return e(0, {}) > 0.0f; }};
  const LoadedTile tile(buildMap(kernel, defaultMapSchedule(target.lanes), target), target);
  for (int n : {0, 1, 5, 16, 37}) {
    PagedArray<float> x(n);
    PagedArray<uint8_t> y(n);
    fillNormal(x, 5);
    if (n > 3)
      x[3] = NAN;
    Operand from(x.data(), f32, {{n, 1}}), to(y.data(), halide_type_of<uint8_t>(), {{n, 1}});
    ScratchContext scratch;
    tile(scratch, {}, {&from, &to});
    for (int i = 0; i < n; ++i)
      CHECK(int(y[i]) == (x[i] > 0.0f ? 1 : 0));
  }
}
