#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("tabulate keeps a program over the positions of its result") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2, extent("n")});
                       g.output("y", tabulate(g, f32, {2, extent("n") * 2},
                                              [&](index b, index i) { return x(b, i / 2) + x(b, i % 2); }));
                     }};
  CHECK(text_of(k) == "%0 = input x f32 (2,n)\n"
                      "%1 = tabulate @8(%0) f32 (2,2*n)\n"
                      "@0 = position 0 integer\n@1 = position 1 integer\n"
                      "@2 = number 2 integer\n"
                      "@3 = divide(@1, @2) integer\n"
                      "@4 = element #0(@0, @3) real\n"
                      "@5 = number 2 integer\n"
                      "@6 = remainder(@1, @5) integer\n"
                      "@7 = element #0(@0, @6) real\n"
                      "@8 = add(@4, @7) real\n"
                      "y = %1\n");
}

TEST_CASE("tabulate makes every type, reals of integers too, from one to six axes") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("a", tabulate(g, i32, {3}, [](index i) { return i * i; }));
                       g.output("b", tabulate(g, b8, {3, 3}, [](index i, index j) { return i == j; }));
                       g.output("c", tabulate(g, f64, {3}, [](auto... i) { return (i + ...); }));
                       g.output("d", tabulate(g, f16, {1, 2, 3, 4, 5, 6},
                                              [](index, index, index, index, index, index) { return 0.5; }));
                     }};
  CHECK(text_of(k, k.nodes[0]) == "tabulate @1 i32 (3)");
  CHECK(text_of(k, k.nodes[1]) == "tabulate @4 b8 (3,3)");
  CHECK(text_of(k, k.nodes[2]) == "tabulate @7 f64 (3)");
  CHECK(text_of(k, k.instructions[7]) == "add(@5, @6) real");
  CHECK(text_of(k, k.nodes[3]) == "tabulate @14 f16 (1,2,3,4,5,6)");
}

TEST_CASE("tabulate says what does not fit") {
  CHECK(fault([](graph &g) { tabulate(g, f32, {2, 3}, [](index i) { return i; }); }) ==
        "tabulate: the shape is (2,3), a function that takes one index for each of its axes and returns a "
        "scalar is needed");
  CHECK(fault([](graph &g) { tabulate(g, i32, {2}, [](index i) { return i * 0.5; }); }) ==
        "tabulate: the function returns a real number for elements of type i32, an integer is needed");
  CHECK(fault([](graph &g) { tabulate(g, f32, {}, [](index i) { return i; }); }) ==
        "tabulate: the shape has 0 axes, 1 to 6 are needed");
  CHECK(fault([](graph &g) {
          tensor x = g.input("x", f32, {2});
          tabulate(g, f32, {3}, [&](index i) { return x[i]; });
        }) == "element: an index runs over 3, the axis of the tensor has 2, at least as many are needed");
  CHECK(fault([](graph &g) {
          tabulate(g, f32, {3}, [&](index i) {
            tabulate(g, f32, {3}, [](index j) { return j; });
            return i;
          });
        }) == "tabulate: it is called inside another program; call it on the result instead");
}
