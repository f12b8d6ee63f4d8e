/// Scratch memory of tile functions: a stack per thread that grows once, and a failing allocator.

#include "allocators.hpp"
#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

using namespace heed::test;

namespace {

/// in, out: out = in + 1, by way of three pieces of scratch of `bytes` each.
template <std::uint64_t Bytes> int by_scratch(void **args) {
  const auto &in = buffer_at(args, 1), &out = buffer_at(args, 2);
  void *const context = context_of(args);
  float *pieces[3];
  for (auto &piece : pieces) {
    piece = static_cast<float *>(heed_scratch_allocate(context, Bytes));
    if (!piece)
      return 0;
    if (reinterpret_cast<std::uintptr_t>(piece) % 64 != 0)
      return -64;
    std::memset(piece, 0xff, Bytes);
  }
  for (int i = 0; i < extent_of(out, 0); ++i)
    pieces[i % 3][i] = element(in, {i, 0, 0});
  for (int i = 0; i < extent_of(out, 0); ++i)
    element(out, {i, 0, 0}) = pieces[i % 3][i] + 1;
  for (int p = 2; p >= 0; --p)
    heed_scratch_release(context, pieces[p]);
  return 0;
}

template <std::uint64_t Bytes> struct fixture {
  fixture() {
    const number n = t.symbol("n"), x = t.input("x", {n}), y = t.output("y", {n}), much = t(1 << 30);
    t.step({{by_scratch<Bytes>,
             {{n, 0, 16}},
             {operand(x, 1, {axis(n, 0, 0)}), written(y, 1, {axis(n, 0, 0)})},
             {},
             much}});
  }
  heed_status call(const heed_options &options) {
    const heed_status status =
        run(t.program(), {heed::view{in.data(), {in.size()}}, heed::view{out.data(), {in.size()}}}, options);
    wrong = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
      wrong += out[static_cast<std::int64_t>(i)] != in[i] + 1;
    return status;
  }
  table t;
  std::vector<float> in = counting(1000);
  guarded out{1000};
  int wrong = 0;
};

} // namespace

TEST_CASE_METHOD(fixture<1000>, "scratch is aligned, separate and reused") {
  for (const int threads : {1, 4}) {
    CHECK(call({threads, nullptr, nullptr}).code == HEED_OK);
    CHECK(wrong == 0);
  }
}

TEST_CASE_METHOD(fixture<300000>, "scratch above what a thread keeps") {
  for (const int threads : {1, 4}) {
    CHECK(call({threads, nullptr, nullptr}).code == HEED_OK);
    CHECK(wrong == 0);
  }
}

TEST_CASE_METHOD(fixture<100000>, "a caller's allocator sees the scratch of every thread, and gets it back") {
  counting_allocator memory;
  CHECK(call(memory.options(1)).code == HEED_OK);
  CHECK(wrong == 0);
  CHECK(memory.peak() >= 300000);
  CHECK(memory.peak() < 310000);
  CHECK(memory.allocations() == 4); // three pieces of the first tile, then one block for them
  CHECK(memory.live() == 0);
  counting_allocator shared;
  CHECK(call(shared.options(3)).code == HEED_OK);
  CHECK(wrong == 0);
  CHECK(shared.peak() <= 3 * 310000);
  CHECK(shared.live() == 0);
}

TEST_CASE_METHOD(fixture<100000>, "scratch that can't be had ends the call") {
  for (const int threads : {1, 3})
    for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{150000}, std::uint64_t{250000}}) {
      counting_allocator memory(limit);
      check_refused(
          call(memory.options(threads)), HEED_OUT_OF_MEMORY,
          "kernel: there is no memory for the scratch of tile, some per thread is needed; call with fewer "
          "threads");
    }
}

TEST_CASE("sizes beyond any memory are refused") {
  table t;
  const number y = t.output("y", {0});
  t.step({{[](void **args) {
             void *const piece = heed_scratch_allocate(context_of(args), (std::uint64_t{1} << 63) + 5);
             return piece ? -1 : 0;
           },
           {},
           {written(y, 0, {})}}});
  guarded out(1);
  CHECK(run(t.program(), {heed::view{out.data(), {1}}}).code == HEED_OUT_OF_MEMORY);
}

TEST_CASE("scratch without a context is refused") {
  CHECK(heed_scratch_allocate(nullptr, 64) == nullptr);
  heed_scratch_release(nullptr, nullptr);
}
