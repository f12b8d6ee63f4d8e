/// Arguments on the host: copied to the device and back, element by element what the call writes.

#include "opencl.hpp"

using namespace heed::test;

TEST_CASE("device: host arguments, dense and with gaps") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  const heed_program program = for_opencl(kernel.t);
  const std::vector<float> x = counting(200);
  for (const std::int64_t rows : {1, 3, 7})
    for (const std::int64_t n : {1, 8, 21}) {
      guarded y(rows * 25);
      run_ok(program, {heed::view{x.data(), {rows, n}, {n + 2, 1}}, kernel.factor_view(),
                       heed::view{y.data(), {rows, n}, {25, 1}}});
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t i = 0; i < 25; ++i) {
          const float found = y[row * 25 + i];
          if (i < n)
            CHECK(found == 3 * x[static_cast<std::size_t>(row * (n + 2) + i)] + 1);
          else
            CHECK(std::isnan(found));
        }
    }
}

TEST_CASE("device: an input of stride 0 is copied once, and stays one") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  const std::vector<float> x = {1, 2, 3, 4};
  guarded y(12);
  run_ok(for_opencl(kernel.t),
         {heed::view{x.data(), {3, 4}, {0, 1}}, kernel.factor_view(), heed::view{y.data(), {3, 4}}});
  for (std::int64_t i = 0; i < 12; ++i)
    CHECK(y[i] == 3 * x[static_cast<std::size_t>(i % 4)] + 1);
}

TEST_CASE("device: a call without elements does nothing, and an empty input reads as zeros") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  guarded y(1);
  run_ok(for_opencl(kernel.t),
         {heed::view<const float, 2>{nullptr, {0, 4}}, kernel.factor_view(), heed::view{y.data(), {0, 4}}});
  CHECK(std::isnan(y[0]));

  table t;
  const number n = t.symbol("n"), m = t.symbol("m");
  const number x = t.input("x", {m}), factor = t.scalar("factor", HEED_F32), out = t.output("y", {n});
  t.step({{scale, {}, {operand(x, 1, {axis(m, 0)}), operand(factor, 0, {}), written(out, 1, {axis(n, 0)})}}});
  guarded four(4);
  run_ok(for_opencl(t),
         {heed::view<const float, 1>{nullptr, {0}}, kernel.factor_view(), heed::view{four.data(), {4}}});
  // The stride of what has no elements is 0: every element is the zero.
  for (std::int64_t i = 0; i < 4; ++i)
    CHECK(four[i] == 1);
}

TEST_CASE("device: a state keeps the rows that are not written") {
  if (!has_opencl())
    return;
  table t;
  const number n = t.symbol("n"), rows = t.symbol("rows"), one = t(1);
  const number x = t.input("x", {n}), factor = t.scalar("factor", HEED_F32), at = t.scalar("at", HEED_I32);
  const number cache = t.state("cache", {rows, n});
  t.bound(at, rows, one);
  t.step({{scale,
           {},
           {operand(x, 1, {axis(n, 0)}), operand(factor, 0, {}),
            from(written(cache, 1, {axis(n, 1)}), {{HEED_OFFSET_ARGUMENT, 0, at}})}}});
  const heed_program program = for_opencl(t);
  const std::vector<float> row = {1, 2, 3};
  std::vector<float> state(12, 0.5f);
  const float twice = 2;
  for (const std::int32_t position : {2, 0}) {
    run_ok(program, {heed::view{row.data(), {3}}, heed::view{&twice}, heed::view{&position},
                     heed::view{state.data(), {4, 3}}});
  }
  CHECK(state == std::vector<float>{3, 5, 7, 0.5f, 0.5f, 0.5f, 3, 5, 7, 0.5f, 0.5f, 0.5f});
  const std::int32_t beyond = 4;
  check_refused(run(program, {heed::view{row.data(), {3}}, heed::view{&twice}, heed::view{&beyond},
                              heed::view{state.data(), {4, 3}}}),
                HEED_INVALID_ARGUMENT,
                "at: it is 4, at most 3 is needed for rows 1 of 4; pass a position that leaves room");
}
