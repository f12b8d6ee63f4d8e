// Element-by-element work on a device: strides, tables, positions, halves, and dropout's random numbers.
#include "Device/Map.h"
#include "DeviceRunner.h"
#include "Random.h"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>

using namespace heed;
using namespace heed::kernels;
using Exprs = std::vector<Halide::Expr>;

namespace {

const std::vector<DeviceMapSchedule> schedules = {{32, 8, 4}, {64, 1, 1}, {8, 4, 2}, {1, 16, 3}};

} // namespace

TEST_CASE("a map on a device broadcasts every operand along any axis", "[device][map]") {
  // Two axes of the kernel, two of the grid.
  const int extents[] = {37, 5, 2, 3};
  MapKernel kernel{"map",
                   2,
                   {Halide::UInt(8), Halide::Float(32)},
                   Halide::Float(32),
                   {},
                   [](const OperandAt &e, const Exprs &, const Exprs &) {
                     return select(e(0, {}) != 0, e(1, {}), -std::numeric_limits<float>::infinity());
                   }};
  for (const DeviceMapSchedule &schedule : schedules) {
    LoadedDevice map(buildDeviceMap(kernel, 4, 2, schedule, openCl()));
    for (int pattern = 0; pattern < 16; pattern += 3) {
      std::array<int, 4> strides{};
      int size = 1;
      for (int axis = 0; axis < 4; ++axis) {
        strides[axis] = pattern >> axis & 1 ? size : 0;
        size *= pattern >> axis & 1 ? extents[axis] : 1;
      }
      const int pitch = extents[0] + 2, area = pitch * extents[1];
      DeviceArray<uint8_t> visible(size);
      DeviceArray<float> x(size), y(area * extents[2] * extents[3], 77);
      for (int n = 0; n < size; ++n) {
        visible[n] = n % 3 != 0;
        x[n] = n % 5 ? float(n) : NAN;
      }
      const auto axesOf = [&](const std::array<int, 4> &s) {
        return std::vector<DeviceArray<float>::Axis>{
            {extents[0], s[0]}, {extents[1], s[1]}, {extents[2], s[2]}, {extents[3], s[3]}};
      };
      std::vector<DeviceArray<uint8_t>::Axis> ofBytes;
      for (const auto &axis : axesOf(strides))
        ofBytes.push_back({axis.extent, axis.stride});
      map({visible.view(ofBytes), x.view(axesOf(strides)),
           y.view(axesOf({1, pitch, area, area * extents[2]}))});
      INFO("pattern " << pattern << ", " << schedule.threadsX << " x " << schedule.threadsY << " x "
                      << schedule.elements);
      for (int at = 0; at < area * extents[2] * extents[3]; ++at) {
        const int column = at % pitch;
        if (column >= extents[0]) {
          REQUIRE(y[at] == 77);
          continue;
        }
        const int from = column * strides[0] + at / pitch % extents[1] * strides[1] +
                         at / area % extents[2] * strides[2] + at / area / extents[2] * strides[3];
        const float right = visible[from] ? x[from] : -INFINITY;
        REQUIRE((y[at] == right || (std::isnan(y[at]) && std::isnan(right))));
      }
    }
  }
}

TEST_CASE("a map on a device reads tables, clamped, at positions of every axis", "[device][map]") {
  // y(i, j, k) = table[k][i + 2 j - 3] for k in the grid; the table is bf16, the result f16.
  MapKernel kernel{"map",
                   2,
                   {Halide::BFloat(16)},
                   Halide::Float(16),
                   {1},
                   [](const OperandAt &e, const Exprs &within, const Exprs &) {
                     return cast<float>(e(0, {within[0] + 2 * within[1] - 3})) + cast<float>(within[2]);
                   }};
  LoadedDevice map(buildDeviceMap(kernel, 3, 1, {8, 4, 2}, openCl()));
  const int length = 11, columns = 9, height = 6, depth = 3;
  DeviceArray<uint16_t> table(length * depth), y(columns * height * depth);
  for (size_t n = 0; n < table.elements.size(); ++n)
    table[n] = Halide::bfloat16_t(float(n)).to_bits();
  map({table.view({{length, 1}, {depth, length}}, Halide::BFloat(16)),
       y.view({{columns, 1}, {height, columns}, {depth, columns * height}}, Halide::Float(16))});
  for (int k = 0; k < depth; ++k)
    for (int j = 0; j < height; ++j)
      for (int i = 0; i < columns; ++i) {
        const int at = std::clamp(i + 2 * j - 3, 0, length - 1) + length * k;
        REQUIRE(y[i + columns * (j + height * k)] == Halide::float16_t(float(at + k)).to_bits());
      }
}

TEST_CASE("random numbers of a map on a device have the bits of everywhere else", "[device][map]") {
  const int64_t seed = 0x299f31d0a4093822, first = int64_t(1) << 40;
  const auto number = [&](const Halide::Expr &index) {
    return uniform(Halide::Expr(seed), Halide::Expr(first) + cast<int64_t>(index), 7);
  };
  MapKernel kernel{
      "map",
      1,
      {Halide::Float(32)},
      Halide::Float(32),
      {},
      [&](const OperandAt &e, const Exprs &within, const Exprs &) { return e(0, {}) + number(within[0]); }};
  LoadedDevice map(buildDeviceMap(kernel, 1, 0, {32, 1, 2}, openCl()));
  DeviceArray<float> zeros(100), y(100, 77);
  map({zeros.view({{100, 1}}), y.view({{100, 1}})});
  for (int n = 0; n < 100; ++n) {
    const auto right = Halide::Internal::as_const_float(Halide::Internal::simplify(number(n)));
    REQUIRE(right.has_value());
    REQUIRE(double(y[n]) == *right);
  }
}
