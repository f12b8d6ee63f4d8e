#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("inputs and weights have one to six axes of any type") {
  constexpr kernel k{"k", [](graph &g) {
                       g.input("x0", b8, {1, 2, 3, 4, 5, 6});
                       g.weight("x1", bf16, {extent("n")});
                       g.output("y", g.input("x2", i64, {2}));
                       g.output("z", g.input("x3", f64, {2}));
                     }};
  CHECK(text_of(k) == "%0 = input x0 b8 (1,2,3,4,5,6)\n"
                      "%1 = weight x1 bf16 (n)\n"
                      "%2 = input x2 i64 (2)\n"
                      "%3 = input x3 f64 (2)\n"
                      "y = %2\nz = %3\n");
  CHECK(fault([](graph &g) { g.input("x", f32, {}); }) == "input: the shape has 0 axes, 1 to 6 are needed");
  CHECK(fault([](graph &g) { g.weight("x", f32, {1, 2, 3, 4, 5, 6, 7}); }) ==
        "weight: the shape has 7 axes, 1 to 6 are needed");
}

TEST_CASE("scalars are arguments of no axes") {
  constexpr kernel k{"k", [](graph &g) {
                       g.scalar("flag", b8);
                       g.scalar("n", i32);
                       tensor scale = g.scalar("scale", f64);
                       g.output("y", g.input("x", f64, {2}) * scale);
                     }};
  CHECK(text_of(k) == "%0 = scalar flag b8 ()\n"
                      "%1 = scalar n i32 ()\n"
                      "%2 = scalar scale f64 ()\n"
                      "%3 = input x f64 (2)\n"
                      "%4 = multiply(%3, %2) f64 (2)\n"
                      "y = %4\n");
  CHECK(fault([](graph &g) { g.scalar("p", f16); }) ==
        "scalar: the type is f16, one of b8, i32, i64, f32 and f64 is needed");
  CHECK(fault([](graph &g) { g.scalar("x", f32), g.input("x", f32, {1}); }) ==
        "input: another argument has the name x already, every name must be used once");
}

TEST_CASE("a graph has an output") {
  CHECK(fault([](graph &) {})
            .find("graph: it has no output, at least one is needed; end the block with "
                  "g.output(name, tensor)") == 0);
  CHECK(fault([](graph &g) { g.input("x", f32, {1}); }) ==
        "graph: it has no output, at least one is needed; end the block with g.output(name, tensor)");
}

TEST_CASE("a graph that is too large is refused") {
  CHECK(fault([](graph &g) {
          tensor x = g.input("x", f32, {1});
          for (int i = 0; i < 3000; ++i)
            x = softmax(x);
          g.output("y", x);
        }) ==
        "graph: this is operation 2049, at most 2048 are possible; split the block into several kernels");
  CHECK(fault([](graph &g) {
          tensor x = g.input("x", f32, {1, 1, 1, 1});
          mask(x, [](index, index, index q, index) {
            scalar sum = q;
            for (int i = 0; i < 5000; ++i)
              sum = sum + q;
            return sum > 0;
          });
        }) == "graph: its programs have more than 4096 instructions; split the block into several kernels");
}
