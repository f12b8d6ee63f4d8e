#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("block_diffusion has three parts") {
  constexpr auto &parts = masked<[](graph &g) {
    g.input("tokens", f32, {extent("tokens")});
    return block_diffusion(extent("tokens"), 2);
  }>;
  // The three parts for 5 tokens in blocks of 2: noised 0-4, clean 5-9.
  const char *const expected[] = {"##........", "##........", "..##.##...", "..##.##...", "....#####.",
                                  ".....##...", ".....##...", ".....####.", ".....####.", ".....#####"};
  const array y = evaluate(parts, {{"tokens", array({5})}, {"scores", array({1, 1, 10, 10})}},
                           {{"batch", 1}, {"heads", 1}, {"queries", 10}, {"keys", 10}, {"tokens", 5}});
  for (int q = 0; q < 10; ++q)
    for (int k = 0; k < 10; ++k) {
      CAPTURE(q, k);
      CHECK((y.at({0, 0, q, k}) == 0) == (expected[q][k] == '#'));
    }
}
