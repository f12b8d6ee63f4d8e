#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("nodes and faults know the line of the call") {
  constexpr int first = __LINE__;
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2});
                       tensor y = x + x;
                       y = y * 2;
                       y = 1 - y;
                       y = -y;
                       g.output("y", y);
                     }};
  REQUIRE(k.node_count == 7);
  const int lines[] = {2, 3, 4, 4, 5, 5, 6};
  for (int i = 0; i < 7; ++i)
    CHECK(k.nodes[i].line == first + lines[i]);
  CHECK(k.outputs[0].line == first + 7);
  CHECK(std::string(k.file) == __FILE__);
  CHECK(k.line >= first + 1);
  CHECK(k.line <= first + 8);

  constexpr int last = __LINE__;
  constexpr auto wrong = [](graph &g) {
    tensor x = g.input("x", i32, {2});
    x / 2;
  };
  CHECK(whole_fault(wrong) == std::string(__FILE__) + ":" + std::to_string(last + 3) +
                                  ": operator /: the element type is i32, a floating type is needed");
}
