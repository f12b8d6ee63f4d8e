#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
template <class function> constexpr tensor masked(graph &g, const function &keep) {
  return mask(g.input("s", f32, {1, 1, 3, 3}), keep);
}
} // namespace

TEST_CASE("and_masks and or_masks join masks") {
  constexpr auto first = [](index b, index, index, index) { return b == 0; };
  constexpr auto second = [](index, index h, index, index) { return h == 0; };
  constexpr kernel both{"both",
                        [](graph &g) { g.output("y", masked(g, and_masks(causal(), first, second))); }};
  CHECK(text_of(both, both.instructions[both.instruction_count - 1]) == "and(@4, @9) truth");
  CHECK(text_of(both, both.instructions[9]) == "and(@6, @8) truth");

  constexpr kernel either{"either", [](graph &g) { g.output("y", masked(g, or_masks(causal(), first))); }};
  CHECK(text_of(either, either.instructions[7]) == "or(@4, @6) truth");

  constexpr kernel one{"one", [](graph &g) { g.output("y", masked(g, and_masks(causal()))); }};
  CHECK(program_of(one) == "@4 = less_equal(@3, @2) truth\n");
}
