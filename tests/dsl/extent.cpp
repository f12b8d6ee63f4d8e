#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent a{"a"}, b{"b"}, c{"c"}, d{"d"}, e{"e"};

static_assert(extent(6) / 4 * 2 == 3);
static_assert(a * b == b * a);
static_assert(a / b * b == a);
static_assert(a * 4 / 8 == a / 2);
static_assert(!(a == b));
static_assert(!(a == 1));
static_assert(extent("a") == a);
static_assert((a / a).is_number() && (a / a).number() == 1);
static_assert(!extent(5).fault() && extent(5).number() == 5);
static_assert((a / 0).fault() != nullptr);
static_assert((a * b * c * d * e).fault() != nullptr);
static_assert((extent(1ll << 62) * 4).fault() != nullptr);
static_assert((extent(1ll << 62) * 4 / 4).fault() != nullptr);
static_assert((extent(1ll << 62) / (1ll << 61)).number() == 2);
} // namespace

TEST_CASE("derived extents are reduced and equal in data when equal in value") {
  constexpr kernel k{"k", [](graph &g) {
                       g.input("x", f32, {a, b, 2 * a / 4 * b, b * a / 2});
                       g.output("y", g.input("z", f32, {a * a / b, a / b}));
                     }};
  CHECK(text_of(k, k.nodes[0]) == "input x f32 (a,b,1/2*a*b,1/2*a*b)");
  CHECK(k.nodes[0].shape[2] == k.nodes[0].shape[3]);
  CHECK(text_of(k, k.nodes[1]) == "input z f32 (a^2*b^-1,a*b^-1)");
  CHECK(k.symbol_count == 2);
  CHECK(k.extent_count == 5);
}

TEST_CASE("extents that are none are refused where they are used") {
  CHECK(fault([](graph &g) { g.input("x", f32, {a / 0}); }) ==
        "input: an extent is not valid, it is divided by zero");
  CHECK(fault([](graph &g) { g.input("x", f32, {a * b * c * d * e}); }) ==
        "input: an extent is not valid, it is a product of more than 4 different symbols");
  CHECK(fault([](graph &g) { g.input("x", f32, {a * (1ll << 62) * 4}); }) ==
        "input: an extent is not valid, it exceeds 63 bits");
  CHECK(fault([](graph &g) { g.weight("x", f32, {extent(10) / 4}); }) ==
        "weight: an extent is 5/2, a whole number is needed");
  CHECK(fault([](graph &g) { g.input("x", f32, {4, 0}); }) == "input: an extent is 0, at least 1 is needed");
  CHECK(fault([](graph &g) { g.input("x", f32, {-3}); }) == "input: an extent is -3, at least 1 is needed");
  CHECK(fault([](graph &g) { g.input("x", f32, {extent("two words")}); }) ==
        "extent: the name is two words, a C identifier is needed (letters, digits and underscores, no "
        "keyword)");
}

TEST_CASE("messages write extents as users do") {
  CHECK(fault([](graph &g) { softmax(g.input("x", i32, {a})) + g.input("y", f32, {2}); }) ==
        "softmax: the element type is i32, a floating type is needed");
  CHECK(fault([](graph &g) { transpose(g.input("x", f32, {a * a * 3 / b / 2})); }) ==
        "transpose: x is (3*a*a/2/b), at least two axes are needed");
  CHECK(fault([](graph &g) { transpose(g.input("x", f32, {1 / a})); }) ==
        "transpose: x is (1/a), at least two axes are needed");
}

TEST_CASE("every symbol is the extent of some argument's axis") {
  CHECK(fault([](graph &g) { g.output("y", split_heads(g.input("x", f32, {1, 5, a}), b)); }) ==
        "extent: no input or weight has b as the extent of an axis, one is needed to know it in a call");
  // a·b tells b once a is known, and b·c then c.
  constexpr kernel k{"k", [](graph &g) { g.output("y", g.input("x", f32, {b * c, a * b, a})); }};
  CHECK(k.symbol_count == 3);
  CHECK(fault([](graph &g) { g.output("y", g.input("x", f32, {b * c, a})); }) ==
        "extent: no input or weight has b as the extent of an axis, one is needed to know it in a call");
}
