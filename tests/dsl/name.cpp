#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {

constexpr bool sorted() {
  for (std::size_t i = 1; i < sizeof(detail::keywords) / sizeof(*detail::keywords); ++i)
    if (detail::compare(detail::keywords[i - 1], detail::keywords[i]) >= 0)
      return false;
  return true;
}
static_assert(sorted());
static_assert(detail::is_keyword("alignas") && detail::is_keyword("xor_eq") && detail::is_keyword("int"));
static_assert(!detail::is_keyword("in") && !detail::is_keyword("zebra") && !detail::is_keyword(""));
static_assert(detail::is_identifier("_x9") && !detail::is_identifier("9x") && !detail::is_identifier("a-b"));

} // namespace

TEST_CASE("names are joined from parts") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input(name("layer", 12, "query"), f32, {1});
                       g.output(name("y", -1 + 2), x);
                     }};
  CHECK(text_of(k) == "%0 = input layer_12_query f32 (1)\ny_1 = %0\n");
}

TEST_CASE("names are identifiers") {
  const std::string needed = ", a C identifier is needed (letters, digits and underscores, no keyword)";
  CHECK(fault([](graph &g) { g.input("2x", f32, {1}); }) == "input: the name is 2x" + needed);
  CHECK(fault([](graph &g) { g.input("", f32, {1}); }) == "input: the name is empty" + needed);
  CHECK(fault([](graph &g) { g.weight("w.query", f32, {1}); }) == "weight: the name is w.query" + needed);
  CHECK(fault([](graph &g) { g.output("class", g.input("x", f32, {1})); }) ==
        "output: the name is class" + needed);
  CHECK(fault([](graph &g) { g.input(name("x", -1), f32, {1}); }) == "input: the name is x_-1" + needed);
}

TEST_CASE("names are used once, over all kinds of arguments") {
  const std::string taken = ": another argument has the name x already, every name must be used once";
  CHECK(fault([](graph &g) {
          g.input("x", f32, {1});
          g.input("x", f32, {2});
        }) == "input" + taken);
  CHECK(fault([](graph &g) {
          g.input("x", f32, {1});
          g.weight("x", f32, {2});
        }) == "weight" + taken);
  CHECK(fault([](graph &g) {
          tensor x = g.input("x", f32, {1});
          g.output("x", x);
        }) == "output" + taken);
  CHECK(fault([](graph &g) {
          g.input(name("layer", 1), f32, {1});
          g.input("layer_1", f32, {1});
        }) == "input: another argument has the name layer_1 already, every name must be used once");
}
