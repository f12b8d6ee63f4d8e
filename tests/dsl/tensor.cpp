#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("a tensor tells its type, rank and extents") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f16, {extent("n"), 3, 8});
                       const bool told =
                           x.type() == f16 && x.rank() == 3 && x.size(0) == extent("n") && x.size(-1) == 8;
                       g.output("y", x / sqrt(x.size(-1)) * (told ? 1 : 0));
                     }};
  CHECK(text_of(k, k.nodes[3]) == "constant 1 f16 ()");
  CHECK(fault([](graph &g) { g.input("x", f32, {2, 3}).size(2); }) ==
        "size: the axis is 2, the tensor has shape (2,3)");
}

TEST_CASE("empty tensors and tensors of another graph are refused") {
  CHECK(fault([](graph &g) { matmul(g.input("x", f32, {2, 2}), tensor()); }) ==
        "matmul: an operand is an empty tensor, one that an operation has made is needed");
  CHECK(fault([](graph &g) { tensor() + g.input("x", f32, {2, 2}); }) ==
        "operator +: an operand is an empty tensor, one that an operation has made is needed");
  CHECK(fault([](graph &g) { g.output("y", softmax(tensor())); }) ==
        "output: the tensor is empty, one that an operation has made is needed");
  const std::string different =
      ": the operands belong to different graphs, all must be of the graph of the kernel";
  CHECK(fault([](graph &g) {
          graph other;
          g.input("x", f32, {2}) + other.input("x", f32, {2});
        }) == "operator +" + different);
  CHECK(fault([](graph &g) {
          graph other;
          linear(other.input("x", f32, {2}), g.input("w", f32, {2, 2}));
        }) == "linear" + different);
  CHECK(fault([](graph &g) {
          graph other;
          g.output("y", other.input("x", f32, {2}));
        }) == "output: the tensor belongs to another graph, one of the graph of the kernel is needed");
}

TEST_CASE("the first fault stays, and nothing breaks after it") {
  CHECK(fault([](graph &g) {
          tensor x = transpose(g.input("x", f32, {2}));
          x = matmul(softmax(x) + 1, transpose(x));
          x = mask(where(x, x, 0), causal());
          x = score_mod(x, [&](value s, index, index h, index, index) { return s * x(h); });
          x = attention(x, x, x, {.mask = causal()});
          x = permute(split_heads(merge_heads(linear(x, x, x)), 2), {0, 1});
          g.output("y", min(!x, x < x));
        }) == "transpose: x is (2), at least two axes are needed");
}
