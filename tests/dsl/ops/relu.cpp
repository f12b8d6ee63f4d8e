#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("relu keeps what is above 0") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", relu(g.input("x", i32, {3}))); }};
  array x({3});
  x.elements = {-2, 0, 3};
  CHECK(evaluate(k, {{"x", x}}, {}).elements == std::vector<double>{0, 0, 3});
  CHECK(last_of(k) == "maximum(%0, %1) i32 (3)");
}
