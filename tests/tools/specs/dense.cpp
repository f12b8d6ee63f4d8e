// Scaled dot-product attention for every kind of head size: 1, odd, a multiple of a vector, and beyond one.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"};

template <int depth, int value_depth = depth> constexpr auto dense(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor q = g.input("q", f32, {batch, heads, queries, depth});
                  tensor k = g.input("k", f32, {batch, heads, keys, depth});
                  tensor v = g.input("v", f32, {batch, heads, keys, value_depth});
                  g.output("y", matmul(softmax(matmul(q, transpose(k)) / sqrt(depth)), v));
                }};
}

constexpr auto d1 = dense<1>("d1");
constexpr auto d3 = dense<3>("d3");
constexpr auto d40 = dense<40>("d40");
constexpr auto d64 = dense<64>("d64");
constexpr auto d80 = dense<80>("d80");
constexpr auto d128 = dense<128>("d128");
constexpr auto d160 = dense<160>("d160");
constexpr auto d256 = dense<256>("d256");
constexpr auto d64_e16 = dense<64, 16>("d64_e16");
constexpr auto d8_e67 = dense<8, 67>("d8_e67");
constexpr auto d32_e1 = dense<32, 1>("d32_e1");

HEED_EXPORT(d1);
HEED_EXPORT(d3);
HEED_EXPORT(d40);
HEED_EXPORT(d64);
HEED_EXPORT(d80);
HEED_EXPORT(d128);
HEED_EXPORT(d160);
HEED_EXPORT(d256);
HEED_EXPORT(d64_e16);
HEED_EXPORT(d8_e67);
HEED_EXPORT(d32_e1);
