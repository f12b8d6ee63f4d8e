// Offsets beyond 32 bits, and memory that grows with the tokens only.
#include "Kernels.h"
#include "attention_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sys/mman.h>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::denseView;
using heed::tests::Kernels;
using heed::tests::leftOutOnDevices;

namespace heed::cases {
namespace {

template <int left> constexpr auto window_of(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor q = g.input("q", f32, {batch, heads, queries, 64}),
                         k = g.input("k", f32, {batch, heads, keys, 64}),
                         v = g.input("v", f32, {batch, heads, keys, 64});
                  g.output("y", attention(q, k, v, {.mask = sliding_window(left, 0)}));
                }};
}
constexpr auto window_of_16 = window_of<15>("window_of_16");

const Kernels &compiled() {
  static const Kernels kernels{&dense, &masked, &window_of_16};
  return kernels;
}

/// Pages of zeros that exist only once they are written to.
class Zeros {
public:
  explicit Zeros(size_t bytes) : bytes(bytes) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      throw std::runtime_error("no address space for the buffer");
  }
  ~Zeros() { munmap(memory, bytes); }
  template <typename T> T *as() { return static_cast<T *>(memory); }

private:
  size_t bytes;
  void *memory;
};

/// The most bytes that a call holds at a time beside its arguments.
class CountingAllocator {
public:
  heed_allocator allocator() { return {allocate, release, this}; }
  uint64_t most() const { return peak; }

private:
  static void *allocate(void *self, uint64_t bytes) {
    auto &counter = *static_cast<CountingAllocator *>(self);
    void *memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    std::lock_guard lock(counter.mutex);
    counter.sizes[memory] = bytes;
    counter.held += bytes;
    counter.peak = std::max(counter.peak, counter.held);
    return memory;
  }
  static void release(void *self, void *memory) {
    auto &counter = *static_cast<CountingAllocator *>(self);
    std::lock_guard lock(counter.mutex);
    counter.held -= counter.sizes[memory];
    counter.sizes.erase(memory);
    std::free(memory);
  }

  std::mutex mutex;
  std::map<void *, uint64_t> sizes;
  uint64_t held = 0, peak = 0;
};

} // namespace
} // namespace heed::cases

// https://github.com/pytorch/pytorch/issues/190857, https://github.com/ggml-org/llama.cpp/issues/24912
TEST_CASE("tokens whose offsets do not fit into 32 bits are right or refused") {
  if (leftOutOnDevices("the host's memory is copied, and this is 8 GB of it"))
    return;
  constexpr int64_t tokens = 24000, depth = 128,
                    step = 700 * depth; // the last token begins at element 2.15e9
  int64_t queries = GENERATE(1, 20);
  Zeros memory(tokens * step * sizeof(float));
  float *last = memory.as<float>() + (tokens - 1) * step;
  last[0] = 50;
  std::vector<float> q(queries * depth, 0), y(queries * depth, NAN);
  for (int64_t i = 0; i < queries; ++i)
    q[i * depth] = 1;
  heed_view k = denseView(memory.as<float>(), spec::dtype::f32, {1, 1, tokens, depth});
  k.strides[2] = step;
  auto call = [&](const heed_view &v) {
    return compiled().library().call(
        "dense", std::vector{denseView(q.data(), spec::dtype::f32, {1, 1, queries, depth}), k, v,
                             denseView(y.data(), spec::dtype::f32, {1, 1, queries, depth})});
  };
  if (queries > 1) { // one tile would reach over all keys
    CHECK(call(k).find("at most 2147483647 are supported") != std::string::npos);
    CHECK(std::isnan(y[0]));
    k.strides[2] = step / 2; // now the last key is another one, of zeros: every row is their mean
    REQUIRE(call(k) == "");
    CHECK(y[0] == 0);
    return;
  }
  REQUIRE(call(k) == "");
  // Only the last key has a score, 50, and it has all the weight.
  CHECK(y[0] == Approx(50));
  CHECK(y[depth - 1] == 0);
}

TEST_CASE("heads of a mask that lie 2^31 elements apart are right, rows are refused") {
  if (leftOutOnDevices("the host's memory is copied, and this is 6 GB of it"))
    return;
  constexpr int64_t step = int64_t(1) << 31, heads = 3, keys = 5;
  Zeros memory(heads * step);
  for (int64_t h = 0; h < heads; ++h)
    memory.as<uint8_t>()[h * step + h] = 1;
  std::vector<float> q(heads * 4, 1), k(heads * keys * 4, 1), v(heads * keys * 4), y(heads * 4, NAN);
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = float(i % (keys * 4));
  auto call = [&](int64_t heads, int64_t queries, int axis) {
    heed_view mask = denseView(memory.as<uint8_t>(), spec::dtype::b8, {1, heads, queries, keys});
    mask.strides[axis] = step;
    auto view = [&](std::vector<float> &memory, int64_t tokens) {
      return denseView(memory.data(), spec::dtype::f32, {1, heads, tokens, 4});
    };
    return compiled().library().call(
        "masked", std::vector{view(q, queries), view(k, keys), view(v, keys), mask, view(y, queries)});
  };
  CHECK(call(1, heads, 2).find("at most 2147483647 are supported") != std::string::npos);
  CHECK(std::isnan(y[0]));
  REQUIRE(call(heads, 1, 1) == "");
  for (int64_t i = 0; i < heads * 4; ++i)
    CHECK(y[i] == float(i)); // head h sees key h
}

TEST_CASE("axes of stride 0 look huge and are not") {
  float one = 1;
  heed_view k = denseView(&one, spec::dtype::f32, {1, 1, 100000, 1});
  k.strides[2] = 0;
  float q[] = {3}, y[] = {NAN};
  REQUIRE(compiled().library().call("dense", std::vector{denseView(q, spec::dtype::f32, {1, 1, 1, 1}), k, k,
                                                         denseView(y, spec::dtype::f32, {1, 1, 1, 1})}) ==
          "");
  CHECK(y[0] == Approx(1));
}

// https://github.com/pytorch/pytorch/issues/133206, https://github.com/ml-explore/mlx/issues/3658
TEST_CASE("memory beside the arguments is far from queries times keys") {
  constexpr int64_t tokens = 40320;
  Zeros memory(3 * tokens * 64 * sizeof(float)), output(tokens * 64 * sizeof(float));
  float *data = memory.as<float>();
  for (int64_t i = 0; i < 3 * tokens * 64; ++i)
    data[i] = float(i % 17) / 17;
  auto view = [&](float *start) { return denseView(start, spec::dtype::f32, {1, 1, tokens, 64}); };
  CountingAllocator counter;
  heed_allocator allocator = counter.allocator();
  heed_options options{2, nullptr, &allocator, nullptr, 0};
  REQUIRE(compiled().library().call("window_of_16",
                                    std::vector{view(data), view(data + tokens * 64),
                                                view(data + 2 * tokens * 64), view(output.as<float>())},
                                    &options) == "");
  CHECK(counter.most() < 8 * tokens * 64); // queries · keys would be 6.5e9 bytes
}
