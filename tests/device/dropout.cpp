// Dropout on a device drops what the CPU drops: the elements are those of the same seed and place.
#include "Kernels.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace {

constexpr heed::extent batch{"batch"}, queries{"queries"}, keys{"keys"}, rows{"rows"};

constexpr kernel weights{"weights", [](graph &g) {
                           tensor q = g.input("q", f32, {batch, 4, queries, 16}),
                                  k = g.input("k", f32, {batch, 2, keys, 16}),
                                  v = g.input("v", f32, {batch, 2, keys, 16});
                           tensor scores = matmul(q, transpose(repeat_heads(k, 2))) / 4;
                           tensor kept = dropout(softmax(scores), g.scalar("p", f32), g.scalar("seed", i64));
                           g.output("y", matmul(kept, repeat_heads(v, 2)));
                           g.output("kept", kept);
                         }};

/// What is dropped of ones: the bits of the numbers drawn.
constexpr kernel elements{
    "elements", [](graph &g) {
      g.output("y", dropout(g.input("x", f32, {batch, rows, 50}), g.scalar("p", f32), g.scalar("seed", i64)));
    }};

constexpr kernel projected{"projected", [](graph &g) {
                             tensor x = g.input("x", f32, {rows, 33});
                             tensor y = linear(x, g.weight("w", f32, {70, 33}), g.weight("b", f32, {70}));
                             g.output("y", dropout(y, g.scalar("p", f32), g.scalar("seed", i64)));
                           }};

const Kernels &onDevice() {
  static const Kernels kernels{&weights, &elements, &projected};
  return kernels;
}
const Kernels &onCpu() {
  static const Kernels kernels({&weights, &elements, &projected}, {}, "host");
  return kernels;
}

std::vector<bool> kept(const Array &array) {
  std::vector<bool> result;
  for (double element : array.elements())
    result.push_back(element != 0);
  return result;
}

} // namespace

TEST_CASE("the same weights are dropped as on the CPU") {
  const auto [m, n] = GENERATE(std::pair(1, 300), std::pair(3, 40), std::pair(130, 70));
  const double seed = GENERATE(0.0, 99.0, -7.0, double(int64_t(1) << 40));
  const std::vector<Array> arguments{Array::random({2, 4, m, 16}, 1), Array::random({2, 2, n, 16}, 2),
                                     Array::random({2, 2, n, 16}, 3), Array::scalar(0.3, spec::dtype::f32),
                                     Array::scalar(seed, spec::dtype::i64)};
  const auto device = onDevice().call(weights, arguments), cpu = onCpu().call(weights, arguments);
  CHECK(kept(device[1]) == kept(cpu[1]));
  CHECK(difference(device[1], cpu[1]) < 1e-6);
  CHECK(difference(device[0], cpu[0]) < 2e-6);
}

TEST_CASE("the numbers drawn are the CPU's to the bit") {
  const double p = GENERATE(0.0, 0.1, 0.5, 0.9, 1.0);
  const std::vector<Array> arguments{Array::filled({3, 77, 50}, 1), Array::scalar(p, spec::dtype::f32),
                                     Array::scalar(12345, spec::dtype::i64)};
  CHECK(onDevice()(elements, arguments) == onCpu()(elements, arguments));
}

TEST_CASE("a linear layer drops what the CPU drops") {
  const int64_t count = GENERATE(1, 9, 200);
  const std::vector<Array> arguments{Array::random({count, 33}, 1), Array::random({70, 33}, 2),
                                     Array::random({70}, 3), Array::scalar(0.4, spec::dtype::f32),
                                     Array::scalar(5, spec::dtype::i64)};
  const Array device = onDevice()(projected, arguments), cpu = onCpu()(projected, arguments);
  CHECK(kept(device) == kept(cpu));
  CHECK(difference(device, cpu) < 1e-5);
}
