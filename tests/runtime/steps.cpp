/// Alternatives by size, and temporaries that share slots of the arena.

#include "allocators.hpp"
#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

using namespace heed::test;

namespace {

template <int Value> int fill(void **args) {
  const auto &out = buffer_at(args, 1);
  for_each_index(out, [&](auto at) { element(out, at) = Value; });
  return 0;
}

} // namespace

TEST_CASE("the first alternative that fits is run") {
  table t;
  const number n = t.symbol("n"), y = t.output("y", {n});
  const std::vector<heed_operand> operands = {written(y, 1, {axis(n, 0)})};
  t.step({{n, 4, {{fill<1>, {}, operands}}},
          {n, 8, {{fill<2>, {}, operands}}},
          {n, -1, {{fill<3>, {}, operands}}}});
  const auto chosen = [&](std::int64_t size) {
    guarded out(size);
    run_ok(t.program(), {heed::view{out.data(), {size}}});
    return out[size - 1];
  };
  CHECK(chosen(1) == 1);
  CHECK(chosen(4) == 1);
  CHECK(chosen(5) == 2);
  CHECK(chosen(8) == 2);
  CHECK(chosen(9) == 3);
}

TEST_CASE("an alternative may have two conditions") {
  table t;
  const number n = t.symbol("n"), m = t.symbol("m"), y = t.output("y", {m, n});
  const std::vector<heed_operand> operands = {written(y, 2, {axis(n, 1), axis(m, 0)})};
  t.step({{n, 4, {{fill<1>, {}, operands}}, -1, {{m, 2}}},
          {n, 4, {{fill<2>, {}, operands}}},
          {m, 2, {{fill<3>, {}, operands}}},
          {n, -1, {{fill<4>, {}, operands}}}});
  const auto chosen = [&](std::int64_t rows, std::int64_t columns) {
    guarded out(rows * columns);
    run_ok(t.program(), {heed::view{out.data(), {rows, columns}}});
    return out[rows * columns - 1];
  };
  CHECK(chosen(2, 4) == 1);
  CHECK(chosen(3, 4) == 2);
  CHECK(chosen(2, 5) == 3);
  CHECK(chosen(3, 5) == 4);
}

TEST_CASE("an alternative may need a scalar that is 0") {
  const auto chosen = [](heed_dtype dtype, const void *scalar, std::int64_t size) {
    table t;
    const number n = t.symbol("n"), p = t.scalar("p", dtype), y = t.output("y", {n});
    const std::vector<heed_operand> operands = {written(y, 1, {axis(n, 0)})};
    t.step({{n, 4, {{fill<1>, {}, operands}}, p},
            {n, 4, {{fill<2>, {}, operands}}},
            {n, -1, {{fill<3>, {}, operands}}, p},
            {n, -1, {{fill<4>, {}, operands}}}});
    guarded out(size);
    run_ok(t.program(), {heed_view{const_cast<void *>(scalar), dtype, 0, {}, {}, HEED_MEMORY_HOST, 0},
                         heed::view{out.data(), {size}}});
    return out[size - 1];
  };
  const float zero = 0, minus_zero = -0.0f, tiny = 1e-45f;
  CHECK(chosen(HEED_F32, &zero, 4) == 1);
  CHECK(chosen(HEED_F32, &tiny, 4) == 2);
  CHECK(chosen(HEED_F32, &minus_zero, 5) == 3);
  CHECK(chosen(HEED_F32, &tiny, 5) == 4);
  const double minus_zero_double = -0.0, small = 1e-300;
  CHECK(chosen(HEED_F64, &minus_zero_double, 5) == 3);
  CHECK(chosen(HEED_F64, &small, 5) == 4);
  const std::int64_t high_bit = std::numeric_limits<std::int64_t>::min();
  CHECK(chosen(HEED_I64, &high_bit, 5) == 4);
  const std::uint8_t bytes[] = {0, 1};
  CHECK(chosen(HEED_B8, &bytes[0], 5) == 3);
}

TEST_CASE("a scalar is an operand without axes, and is checked like any argument") {
  table t;
  const number n = t.symbol("n"), x = t.scalar("x", HEED_F32), y = t.output("y", {n});
  t.step({{increment, {{n, 0, 1}}, {operand(x, 0, {}), written(y, 0, {axis(n, 0, 0)})}}});
  float five = 5;
  guarded out(3);
  run_ok(t.program(), {heed::view{&five}, heed::view{out.data(), {3}}});
  CHECK(out[2] == 6);
  check_refused(run(t.program(), {heed::view{&five, {1}}, heed::view{out.data(), {3}}}),
                HEED_INVALID_ARGUMENT, "x: it has 1 axes, 0 are needed; pass a tensor of rank 0");
  check_refused(run(t.program(), {heed::view<float, 0>{nullptr}, heed::view{out.data(), {3}}}),
                HEED_INVALID_ARGUMENT,
                "x: its data is null, memory for its elements is needed; pass a pointer to them");
}

TEST_CASE("a step without a fitting alternative is refused") {
  table t;
  const number n = t.symbol("n"), y = t.output("y", {n});
  t.step({{n, 4, {{fill<1>, {}, {written(y, 1, {axis(n, 0)})}}}}});
  guarded out(5);
  check_refused(
      run(t.program(), {heed::view{out.data(), {5}}}), HEED_UNSUPPORTED,
      "kernel: step 0 has no alternative for these sizes, one without a condition is needed; rebuild the "
      "library");
}

namespace {

/// x -> a -> b -> c -> y, each one more than the one before; a and c share slot 0.
table chain() {
  table t;
  const number n = t.symbol("n"), x = t.input("x", {n}), y = t.output("y", {n});
  const number a = t.temporary({n}, 0), b = t.temporary({n}, 1), c = t.temporary({n}, 0);
  const auto link = [&](number from, number to) {
    t.step({{increment, {{n, 0, 16}}, {operand(from, 1, {axis(n, 0, 0)}), written(to, 1, {axis(n, 0, 0)})}}});
  };
  link(x, a);
  link(a, b);
  link(b, c);
  link(c, y);
  return t;
}

} // namespace

TEST_CASE("temporaries carry values from step to step") {
  const table t = chain();
  for (const std::int64_t n : {1, 100, 2000, 100000}) {
    auto in = counting(n);
    guarded out(n);
    run_ok(t.program(), {heed::view{in.data(), {n}}, heed::view{out.data(), {n}}});
    int wrong = 0;
    for (std::int64_t i = 0; i < n; ++i)
      wrong += out[i] != in[static_cast<std::size_t>(i)] + 4;
    CHECK(wrong == 0);
  }
}

TEST_CASE("one allocation holds the slots, and they are shared") {
  const table t = chain();
  const std::int64_t n = 10000;
  auto in = counting(n);
  guarded out(n);
  counting_allocator memory;
  run_ok(t.program(), {heed::view{in.data(), {n}}, heed::view{out.data(), {n}}}, memory.options());
  CHECK(memory.allocations() == 1);
  CHECK(memory.peak() == 2 * 40000);
  CHECK(memory.live() == 0);
}

TEST_CASE("a temporary of a rare alternative takes memory only where that runs") {
  table t;
  const number n = t.symbol("n"), x = t.input("x", {n}), y = t.output("y", {n});
  const bool is_of_few = GENERATE(true, false);
  const number rare = is_of_few ? t.temporary({n, t(100)}, 0, n, 50) : t.temporary({n, t(100)}, 0, n, 0, 50);
  const auto link = [&](number from, number to) {
    return table::launch{increment, {}, {operand(from, 1, {axis(n, 0)}), written(to, 1, {axis(n, 0)})}};
  };
  const std::vector<table::launch> with{link(x, rare), link(rare, y)}, without{link(x, y)};
  t.step({{n, 50, is_of_few ? with : without}, {n, -1, is_of_few ? without : with}});
  const auto added_and_memory = [&](std::int64_t size) {
    auto in = counting(size);
    guarded out(size);
    counting_allocator memory;
    run_ok(t.program(), {heed::view{in.data(), {size}}, heed::view{out.data(), {size}}}, memory.options());
    return std::pair{out[size - 1] - in[static_cast<std::size_t>(size - 1)], memory.peak()};
  };
  const std::pair few{2.0f, std::uint64_t{20032}}, many{2.0f, std::uint64_t{20416}},
      none{1.0f, std::uint64_t{0}};
  CHECK(added_and_memory(50) == (is_of_few ? few : none));
  CHECK(added_and_memory(51) == (is_of_few ? none : many));
}

TEST_CASE("an arena that can't be had is reported") {
  const table t = chain();
  const std::int64_t n = 10000;
  auto in = counting(n);
  guarded out(n);
  counting_allocator memory(0);
  check_refused(
      run(t.program(), {heed::view{in.data(), {n}}, heed::view{out.data(), {n}}}, memory.options()),
      HEED_OUT_OF_MEMORY,
      "kernel: there is no memory for its temporaries, 80000 bytes are needed; call it on parts of the "
      "batch");
}

TEST_CASE("temporaries too large for any memory are reported") {
  table t;
  const number n = t.symbol("n"), x = t.input("x", {n, 0}), y = t.output("y", {0});
  const number huge = t.temporary({n, n, n, n}, 0);
  t.step({{increment, {}, {operand(x, 0, {}), written(huge, 0, {})}},
          {increment, {}, {operand(huge, 0, {}), written(y, 0, {})}}});
  float anything = 0;
  guarded out(1);
  const heed_status status =
      run(t.program(), {heed::view{&anything, {1 << 16, 1}, {0, 1}}, heed::view{out.data(), {1}}});
  CHECK(status.code == HEED_OUT_OF_MEMORY);
}
