#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("chunk gives equal parts in order") {
  constexpr kernel k{"k", [](graph &g) {
                       auto [q, key, v] = chunk<3>(g.input("x", f32, {2, extent("d") * 3}), -1);
                       g.output("q", q);
                       g.output("k", key);
                       g.output("v", v);
                       g.output("half", chunk<2>(g.input("y", f32, {8}), 0)[1]);
                     }};
  CHECK(text_of(k, k.nodes[1]) == "slice axis 1(%0) f32 (2,d)");
  CHECK(text_of(k, k.nodes[2]) == "slice axis 1 start d(%0) f32 (2,d)");
  CHECK(text_of(k, k.nodes[3]) == "slice axis 1 start 2*d(%0) f32 (2,d)");
  CHECK(last_of(k) == "slice axis 0 start 4(%4) f32 (4)");
}

TEST_CASE("chunk says what does not fit") {
  CHECK(fault([](graph &g) { chunk<3>(g.input("x", f32, {2, 8}), 1); }) ==
        "chunk: axis 1 of x (2,8) is 8, a multiple of 3 is needed for 3 equal parts; write slice for parts "
        "that "
        "differ");
  CHECK(fault([](graph &g) { chunk<3>(g.input("x", f32, {2, 8}), 2); }) ==
        "chunk: the axis is 2, x is (2,8), one of its axes is needed");
}
