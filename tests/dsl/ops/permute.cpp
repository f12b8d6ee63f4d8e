#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("permute takes result axes from named axes") {
  constexpr kernel k{"k",
                     [](graph &g) { g.output("y", permute(g.input("x", f32, {2, 3, 4, 5}), {0, 2, 3, 1})); }};
  CHECK(last_of(k) == "permute{0,2,3,1}(%0) f32 (2,4,5,3)");
}

TEST_CASE("permute refuses an order that is none") {
  const char *const sentence =
      "permute: x is (2,3), an order that names each of the axes 0 to 1 once is needed";
  CHECK(fault([](graph &g) { permute(g.input("x", f32, {2, 3}), {0}); }) == sentence);
  CHECK(fault([](graph &g) { permute(g.input("x", f32, {2, 3}), {0, 0}); }) == sentence);
  CHECK(fault([](graph &g) { permute(g.input("x", f32, {2, 3}), {0, 2}); }) == sentence);
  CHECK(fault([](graph &g) { permute(g.input("x", f32, {2, 3}), {-1, 0}); }) == sentence);
  CHECK(fault([](graph &g) { permute(g.input("x", f32, {2, 3}), {0, 1, 2}); }) == sentence);
}
