// Calls from many threads, calls with many threads, many small tiles.
#include "Kernels.h"
#include "attention_kernels.hpp"
#include "small_stack.hpp"

#include <catch2/catch.hpp>
#include <thread>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::Kernels;
using heed::tests::leftOutOnDevices;

namespace heed::cases {
namespace {

constexpr kernel causal_attention{"causal_attention",
                                  [](graph &g) { g.output("y", attend(inputs(g), {.mask = causal()})); }};

const Kernels &compiled() {
  static const Kernels kernels{&dense, &causal_attention};
  return kernels;
}

std::vector<Array> argumentsOf(int64_t i) {
  int64_t batch = 1 + i % 3, queries = 1 + 17 * i, keys = 5 + 23 * i;
  return {Array::random({batch, 2, queries, 8}, 1), Array::random({batch, 2, keys, 8}, 2),
          Array::random({batch, 2, keys, 8}, 3)};
}

} // namespace
} // namespace heed::cases

// https://github.com/microsoft/onnxruntime/issues/21420,
// https://github.com/microsoft/onnxruntime/issues/13571
TEST_CASE("one kernel called from eight threads with different sizes") {
  std::vector<Array> serial, parallel;
  heed_options one{1, nullptr, nullptr, nullptr, 0};
  for (int64_t i = 0; i < 8; ++i) {
    serial.push_back(compiled()(causal_attention, argumentsOf(i), &one));
    parallel.push_back(Array({0}, {}));
  }
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<std::thread> threads;
    for (int64_t i = 0; i < 8; ++i)
      threads.emplace_back([&, i] { parallel[i] = compiled()(causal_attention, argumentsOf(i)); });
    for (std::thread &thread : threads)
      thread.join();
    for (int64_t i = 0; i < 8; ++i)
      REQUIRE(parallel[i] == serial[i]);
  }
}

// https://github.com/halide/Halide/issues/9377
TEST_CASE("stack does not grow with the number of tiles") {
  if (leftOutOnDevices("the driver compiles on the caller's stack, which is small here"))
    return;
  constexpr int64_t batch = 100000;
  Array q = Array::filled({batch, 1, 1, 1}, 0), k = Array::filled({batch, 1, 2, 1}, 0),
        v = Array::filled({batch, 1, 2, 1}, 3), y = q;
  const Kernels &kernels = compiled();
  heed_options two{2, nullptr, nullptr, nullptr, 0};
  on_small_stack([&] { y = kernels(dense, {q, k, v}, &two); });
  CHECK(y == Array::filled({batch, 1, 1, 1}, 3));
}

// https://github.com/ROCm/triton/pull/953, https://github.com/Dao-AILab/flash-attention/issues/359
TEST_CASE("fifty calls give the same bits") {
  std::vector<Array> arguments = argumentsOf(6);
  Array first = compiled()(causal_attention, arguments);
  for (int repeat = 0; repeat < 50; ++repeat)
    REQUIRE(compiled()(causal_attention, arguments) == first);
}
