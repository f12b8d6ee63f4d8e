// asserted: kernel: the block must be a lambda that takes (graph &g) and captures nothing; what varies
// between kernels can be template arguments of a function that returns the kernel
#include <heed/dsl.hpp>
using namespace heed;

constexpr auto make(int width) {
#ifdef WRONG
  return kernel{"block", [width](graph &g) { g.output("y", g.input("x", f32, {width})); }}; // wrong
#else
  return width;
#endif
}
static_assert(sizeof(make(4)) > 0);
