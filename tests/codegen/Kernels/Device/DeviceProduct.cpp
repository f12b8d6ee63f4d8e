// Linear layers, products and score matrices on a device: any sizes and strides against double precision.
#include "Device/Linear.h"
#include "Device/Matmul.h"
#include "Device/Scores.h"
#include "DeviceRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

using namespace heed;
using namespace heed::kernels;
using Halide::cast;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr float untouched = -77;
constexpr int batches = 2;

struct Sizes {
  int rows, depth, columns;
};
const std::vector<Sizes> sizes = {{1, 1, 1}, {5, 67, 131}, {130, 40, 21}, {33, 16, 64}};
const std::vector<DeviceTile> tiles = {{}, {2, 4, 8, 4, 8}, {3, 5, 4, 8, 4}, {1, 1, 16, 16, 32}};

DeviceArray<float> normal(size_t count, unsigned seed) {
  DeviceArray<float> array(count);
  std::mt19937 generator(seed);
  std::normal_distribution<float> distribution;
  for (float &element : array)
    element = distribution(generator);
  return array;
}

/// Left (rows, depth) times right (columns, depth), each per batch or not, and what lies behind the rows of
/// y.
struct Problem {
  explicit Problem(const Sizes &sizes)
      : s(sizes), pitch(s.columns + 3), left(normal(size_t(batches) * s.rows * s.depth, 1)),
        right(normal(size_t(s.columns) * s.depth, 2)), y(size_t(batches) * s.rows * pitch, untouched) {}

  double dot(int b, int row, int column) const {
    double sum = 0;
    for (int i = 0; i < s.depth; ++i)
      sum += double(left.elements[(b * s.rows + row) * s.depth + i]) * right.elements[column * s.depth + i];
    return sum;
  }

  template <class Right> void check(Right right, double tolerance = 1e-5) const {
    for (int b = 0; b < batches; ++b)
      for (int row = 0; row < s.rows; ++row)
        for (int column = 0; column < pitch; ++column) {
          const double found = y.elements[(b * s.rows + row) * pitch + column];
          INFO("batch " << b << ", row " << row << ", column " << column);
          if (column >= s.columns) {
            REQUIRE(found == untouched);
            continue;
          }
          const double wanted = right(b, row, column);
          REQUIRE((found == wanted || std::abs(found - wanted) <= tolerance * (1 + std::abs(wanted))));
        }
  }

  const Sizes s;
  const int pitch;
  DeviceArray<float> left, right, y;
};

std::string textOf(const Sizes &s, const DeviceTile &tile) {
  return std::to_string(s.rows) + " x " + std::to_string(s.depth) + " x " + std::to_string(s.columns) +
         " by " + std::to_string(tile.rowTile) + " x " + std::to_string(tile.columnTile);
}

} // namespace

TEST_CASE("a linear layer on a device has any sizes, and an epilogue that knows where it is",
          "[device][product]") {
  LinearKernel kernel;
  kernel.name = "linear";
  kernel.bias = true;
  kernel.epilogue.operands = {{}};
  kernel.epilogue.apply = [](const Expr &sum, const OperandAt &element, const Exprs &within, const Exprs &) {
    return max(sum, 0.0f) + element(0, {}) + cast<float>(within[0] + 2 * within[1] + 3 * within[2]);
  };
  for (const DeviceTile &tile : tiles) {
    // Columns, a leading axis, rows.
    LoadedDevice linear(buildDeviceLinear(kernel, 3, {tile}, openCl()));
    for (const Sizes &s : sizes) {
      INFO(textOf(s, tile));
      Problem p(s);
      DeviceArray<float> bias = normal(s.columns, 3), gate = normal(size_t(s.columns) * batches, 4);
      linear({p.left.view({{s.depth, 1}, {s.rows, s.depth}, {1, 0}, {batches, s.rows * s.depth}, {1, 0}}),
              p.right.view({{s.depth, 1}, {s.columns, s.depth}, {1, 0}, {batches, 0}, {1, 0}}),
              bias.view({{s.columns, 1}, {1, 0}, {batches, 0}, {1, 0}}),
              gate.view({{s.columns, 1}, {s.rows, 0}, {1, 0}, {batches, s.columns}, {1, 0}}),
              p.y.view({{s.columns, 1}, {s.rows, p.pitch}, {1, 0}, {batches, s.rows * p.pitch}, {1, 0}})});
      p.check([&](int b, int row, int column) {
        return std::max(p.dot(b, row, column) + bias[column], 0.0) + gate[b * s.columns + column] + column +
               2 * row + 3 * b;
      });
    }
  }
}

TEST_CASE("a linear layer on a device writes heads first", "[device][product]") {
  const int heads = 3, depth = 7, columns = heads * depth;
  LinearKernel kernel;
  kernel.name = "linear";
  kernel.inputs = 40;
  kernel.headDepth = depth;
  LoadedDevice linear(buildDeviceLinear(kernel, 2, {tiles[1]}, openCl()));
  Problem p({13, 40, columns});
  DeviceArray<float> y(size_t(columns) * 13, untouched);
  linear({p.left.view({{40, 1}, {13, 40}, {1, 0}, {1, 0}}),
          p.right.view({{40, 1}, {depth, 40}, {heads, 40 * depth}, {1, 0}, {1, 0}}),
          y.view({{depth, 1}, {heads, depth * 13}, {13, depth}, {1, 0}, {1, 0}})});
  for (int h = 0; h < heads; ++h)
    for (int row = 0; row < 13; ++row)
      for (int d = 0; d < depth; ++d)
        REQUIRE(y[(h * 13 + row) * depth + d] == Approx(p.dot(0, row, h * depth + d)).margin(1e-4));
}

TEST_CASE("a linear layer on a device sums bf16 in f32, and f64 in f64", "[device][product]") {
  const int rows = 9, depth = 50, columns = 20;
  LinearKernel kernel;
  kernel.name = "linear";
  kernel.types = {Halide::BFloat(16), Halide::Float(32), Halide::Float(32), Halide::Float(16)};
  const auto axes = [](int inner, int outer) {
    return std::vector<DeviceArray<float>::Axis>{{inner, 1}, {outer, inner}, {1, 0}, {1, 0}};
  };
  Problem p({rows, depth, columns});
  DeviceArray<uint16_t> x(rows * depth), y(rows * columns);
  for (int n = 0; n < rows * depth; ++n) {
    const Halide::bfloat16_t half(p.left[n]);
    x[n] = half.to_bits();
    p.left[n] = float(half);
  }
  const auto halves = [&](DeviceArray<uint16_t> &array, int inner, int outer, const Halide::Type &type) {
    return array.view({{inner, 1}, {outer, inner}, {1, 0}, {1, 0}}, type);
  };
  LoadedDevice(buildDeviceLinear(kernel, 2, {}, openCl()))({halves(x, depth, rows, Halide::BFloat(16)),
                                                            p.right.view(axes(depth, columns)),
                                                            halves(y, columns, rows, Halide::Float(16))});
  for (int n = 0; n < rows * columns; ++n)
    REQUIRE(float(Halide::float16_t::make_from_bits(y[n])) ==
            Approx(p.dot(0, n / columns, n % columns)).epsilon(1e-3).margin(1e-4));

  kernel.types = LinearTypes::all(Halide::Float(64));
  DeviceArray<double> left(rows * depth), right(columns * depth), sums(rows * columns);
  std::copy_n(p.left.begin(), rows * depth, left.begin());
  std::copy_n(p.right.begin(), columns * depth, right.begin());
  LoadedDevice(buildDeviceLinear(kernel, 2, {}, openCl()))(
      {left.view({{depth, 1}, {rows, depth}, {1, 0}, {1, 0}}),
       right.view({{depth, 1}, {columns, depth}, {1, 0}, {1, 0}}),
       sums.view({{columns, 1}, {rows, columns}, {1, 0}, {1, 0}})});
  for (int n = 0; n < rows * columns; ++n)
    REQUIRE(sums[n] == Approx(p.dot(0, n / columns, n % columns)).epsilon(1e-13).margin(1e-13));
}

TEST_CASE("a product on a device reads matrices either way round", "[device][product]") {
  for (const DeviceTile &tile : tiles) {
    // A leading axis, rows, columns.
    LoadedDevice product(buildDeviceMatmul({"product"}, 3, {tile}, openCl()));
    for (const Sizes &s : sizes)
      for (bool turned : {false, true}) {
        INFO(textOf(s, tile) << (turned ? ", turned" : ""));
        Problem p(s);
        DeviceArray<float> right = p.right;
        if (turned)
          for (int i = 0; i < s.depth; ++i)
            for (int column = 0; column < s.columns; ++column)
              right[i * s.columns + column] = p.right[column * s.depth + i];
        product({p.left.view({{s.depth, 1}, {s.rows, s.depth}, {batches, s.rows * s.depth}, {1, 0}, {1, 0}}),
                 right.view({{s.columns, turned ? 1 : s.depth},
                             {s.depth, turned ? s.columns : 1},
                             {batches, 0},
                             {1, 0},
                             {1, 0}}),
                 p.y.view({{s.columns, 1}, {s.rows, p.pitch}, {batches, s.rows * p.pitch}, {1, 0}, {1, 0}})});
        p.check([&](int b, int row, int column) { return p.dot(b, row, column); });
      }
  }
}

TEST_CASE("scores on a device are -infinity where hidden, weights 0", "[device][product]") {
  AttentionKernel kernel;
  kernel.name = "scores";
  kernel.scale = 0.25;
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score + cast<float>(at.batch), at.key % 3 != at.query % 3 && at.query != 2};
  };
  const auto visible = [](int row, int key) { return key % 3 != row % 3 && row != 2; };
  for (const DeviceTile &tile : tiles)
    for (const Sizes &s : sizes) {
      INFO(textOf(s, tile));
      Problem p(s);
      const auto score = [&](int b, int row, int key) {
        return visible(row, key) ? 0.25 * p.dot(b, row, key) + b : -std::numeric_limits<double>::infinity();
      };
      // Batch, one head, queries, keys.
      const auto run = [&](std::vector<Halide::Buffer<>> statistics) {
        std::vector<Halide::Buffer<>> operands = {
            p.left.view(
                {{s.depth, 1}, {s.rows, s.depth}, {batches, s.rows * s.depth}, {1, 0}, {1, 0}, {1, 0}}),
            p.right.view({{s.depth, 1}, {s.columns, s.depth}, {batches, 0}, {1, 0}, {1, 0}, {1, 0}})};
        operands.insert(operands.end(), statistics.begin(), statistics.end());
        operands.push_back(p.y.view(
            {{s.columns, 1}, {s.rows, p.pitch}, {batches, s.rows * p.pitch}, {1, 0}, {1, 0}, {1, 0}}));
        LoadedDevice(buildDeviceScores(kernel, {tile}, openCl()))(operands);
      };
      kernel.statistics = false;
      run({});
      p.check(score);

      kernel.statistics = true;
      DeviceArray<float> largest(batches * s.rows, std::numeric_limits<float>::lowest()),
          sum(batches * s.rows, 0);
      for (int n = 0; n < batches * s.rows; ++n) {
        for (int key = 0; key < s.columns; ++key)
          largest[n] = std::max(largest[n], float(score(n / s.rows, n % s.rows, key)));
        for (int key = 0; key < s.columns; ++key)
          sum[n] += float(std::exp(score(n / s.rows, n % s.rows, key) - largest[n]));
      }
      const auto ofRows = [&](DeviceArray<float> &array) {
        return array.view({{s.rows, 1}, {batches, s.rows}, {1, 0}, {1, 0}, {1, 0}});
      };
      run({ofRows(largest), ofRows(sum)});
      p.check([&](int b, int row, int key) {
        const int n = b * s.rows + row;
        return visible(row, key) ? std::exp(score(b, row, key) - largest[n]) / sum[n] : 0.0;
      });
    }
}

TEST_CASE("products are made for every interface", "[device][product]") {
  for (const Halide::DeviceAPI api : {Halide::DeviceAPI::OpenCL, Halide::DeviceAPI::CUDA,
                                      Halide::DeviceAPI::Vulkan, Halide::DeviceAPI::Metal}) {
    const DeviceTarget target = deviceTarget(api, hostTarget());
    LinearKernel kernel;
    kernel.name = "linear";
    CHECK(!compile(buildDeviceLinear(kernel, 2, {}, target), target, DeviceForm::Source).empty());
  }
}
