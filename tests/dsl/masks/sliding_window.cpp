#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

namespace {
template <int left, int right> constexpr auto window() {
  return kernel{"k", [](graph &g) {
                  g.output("y", mask(g.input("s", f32, {1, 1, 3, 3}), sliding_window(left, right)));
                }};
}
} // namespace

TEST_CASE("sliding_window shows keys around the query") {
  constexpr kernel both = window<2, 1>();
  CHECK(program_of(both) == "@4 = number 2 integer\n"
                            "@5 = subtract(@2, @4) integer\n"
                            "@6 = greater_equal(@3, @5) truth\n"
                            "@7 = number 1 integer\n"
                            "@8 = add(@2, @7) integer\n"
                            "@9 = less_equal(@3, @8) truth\n"
                            "@10 = and(@6, @9) truth\n");
}

TEST_CASE("a negative bound of sliding_window is none") {
  constexpr kernel left = window<2, -1>();
  constexpr kernel right = window<-1, 1>();
  constexpr kernel none = window<-1, -1>();
  CHECK(program_of(left) == "@4 = number 2 integer\n"
                            "@5 = subtract(@2, @4) integer\n"
                            "@6 = greater_equal(@3, @5) truth\n");
  CHECK(program_of(right) == "@4 = number 1 integer\n"
                             "@5 = add(@2, @4) integer\n"
                             "@6 = less_equal(@3, @5) truth\n");
  CHECK(program_of(none) == "@4 = number 1 truth\n");
}

TEST_CASE("windows of one key and to one side") {
  constexpr auto &itself = masked<[](graph &) { return sliding_window(0, 0); }>;
  constexpr auto &before = masked<[](graph &) { return sliding_window(1, 0); }>;
  check_mask(itself, {}, {1, 1, 4, 4}, [](int, int, int q, int k) { return k == q; });
  check_mask(before, {}, {1, 1, 4, 4}, [](int, int, int q, int k) { return k == q || k == q - 1; });
}
