/// Views, element types, status and options of the C++ face.

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

#include <type_traits>

using namespace heed::test;

namespace {
template <class... Arguments>
concept viewable = requires(Arguments... arguments) { heed::view(arguments...); };
} // namespace

TEST_CASE("a view is dense by default and takes any integers") {
  std::vector<float> x(150);
  const std::size_t batch = 3;
  const short queries = 5;
  const heed::view<const float, 3> v{x.data(), {batch, queries, 10}};
  CHECK(v.data() == x.data());
  CHECK(v.extent(0) == 3);
  CHECK(v.extent(2) == 10);
  CHECK(v.stride(0) == 50);
  CHECK(v.stride(1) == 10);
  CHECK(v.stride(2) == 1);
}

TEST_CASE("pointer and list say the type of a view") {
  float x[6];
  CHECK(std::is_same_v<decltype(heed::view{x, {2, 3}}), heed::view<float, 2>>);
  CHECK(std::is_same_v<decltype(heed::view{x, {2, 3}, {3, 1}}), heed::view<float, 2>>);
  CHECK(std::is_same_v<decltype(heed::view{x, std::array{2, 3}}), heed::view<float, 2>>);
  CHECK(std::is_same_v<decltype(heed::view{static_cast<const float *>(x), {6}}), heed::view<const float, 1>>);
  CHECK(std::is_same_v<decltype(heed::view{x}), heed::view<float, 0>>);
  CHECK(heed::view{x, std::array{2, 3}, std::array{4, 1}}.stride(0) == 4);
}

TEST_CASE("a view becomes one of constant elements, and not back") {
  float x[6];
  const heed::view<float, 2> v{x, {2, 3}, {3, 1}};
  const heed::view<const float, 2> constant = v;
  CHECK(constant.data() == x);
  CHECK(constant.extent(1) == 3);
  CHECK(!std::is_convertible_v<heed::view<const float, 2>, heed::view<float, 2>>);
  CHECK(!std::is_convertible_v<heed::view<float, 2>, heed::view<float, 3>>);
  CHECK(!viewable<char *, std::array<int, 2>>);
}

TEST_CASE("element types have their code") {
  CHECK(heed::dtype_of<bool> == HEED_B8);
  CHECK(heed::dtype_of<const std::uint8_t> == HEED_B8);
  CHECK(heed::dtype_of<std::int32_t> == HEED_I32);
  CHECK(heed::dtype_of<std::int64_t> == HEED_I64);
  CHECK(heed::dtype_of<heed::float16> == HEED_F16);
  CHECK(heed::dtype_of<heed::bfloat16> == HEED_BF16);
  CHECK(heed::dtype_of<const float> == HEED_F32);
  CHECK(heed::dtype_of<double> == HEED_F64);
}

TEST_CASE("a view of the C interface has all of it") {
  double x[6];
  const heed_view c = heed::view{x, {2, 3}, {5, 1}};
  CHECK(c.data == x);
  CHECK(c.dtype == HEED_F64);
  CHECK(c.rank == 2);
  CHECK(c.extents[0] == 2);
  CHECK(c.strides[0] == 5);
}

TEST_CASE("a call from C++ gives a status") {
  table t;
  const number n = t.symbol("n"), x = t.input("x", {n}), y = t.output("y", {n});
  t.step({{increment, {{n, 0, 16}}, {operand(x, 1, {axis(n, 0, 0)}), written(y, 1, {axis(n, 0, 0)})}}});
  const heed_program program = t.program();
  std::vector<float> in = counting(20);
  guarded out(20);
  const heed_view views[] = {heed::view{in.data(), {20}}, heed::view{out.data(), {20}}};
  const heed::status good = heed::call(program, views, {.threads = 2});
  CHECK(good);
  CHECK(good.ok());
  CHECK(good.code() == HEED_OK);
  CHECK(std::string(good.message()).empty());
  const heed_view wrong[] = {heed::view{in.data(), {20}}, heed::view{out.data(), {19}}};
  const heed::status bad = heed::call(program, wrong);
  CHECK(!bad);
  CHECK(bad.code() == HEED_INVALID_ARGUMENT);
  CHECK(std::string(bad.message()) == "y: axis 0 (n) is 19, x says n is 20; pass tensors whose n agree");
  CHECK(noexcept(heed::call(program, views)));
}
