// A module may have several spec files; this one stands beside every_word.cpp.
#include <heed/dsl.hpp>

namespace outer {

template <int width> constexpr auto scaled(const char *called) {
  return heed::kernel{called, [](heed::graph &g) {
                        g.output("y", g.input("x", heed::f32, {heed::extent("n"), width}) * width);
                      }};
}

constexpr auto scaled_4 = scaled<4>("scaled_4");
constexpr auto scaled_8 = scaled<8>("scaled_8");

} // namespace outer

HEED_EXPORT(outer::scaled_4);
HEED_EXPORT(outer::scaled_8);
