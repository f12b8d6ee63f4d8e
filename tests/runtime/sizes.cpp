/// Symbols are bound, solved for and compared, name against name.

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

using namespace heed::test;

namespace {

std::vector<float> memory(4096);
heed_view tensor(std::initializer_list<std::int64_t> extents) {
  heed_view view{memory.data(),    HEED_F32, static_cast<std::int32_t>(extents.size()), {}, {},
                 HEED_MEMORY_HOST, 0};
  std::copy(extents.begin(), extents.end(), view.extents);
  std::int64_t stride = 1;
  for (int i = view.rank - 1; i >= 0; --i) {
    view.strides[i] = stride;
    stride *= view.extents[i];
  }
  return view;
}

void refuses(const table &t, const std::vector<heed_view> &views, const std::string &message) {
  check_refused(run(t.program(), views), HEED_INVALID_ARGUMENT, message);
}

/// Makes the value of an extent visible.
int note_scalar(void **args) {
  element(buffer_at(args, 2), {0, 0, 0}) = static_cast<float>(scalar_at(args, 1));
  return 0;
}
float value_of(table &t, number extent, number output, std::vector<heed_view> views) {
  guarded out(1);
  views.push_back(heed::view{out.data(), {1}});
  t.step({{note_scalar, {}, {written(output, 1, {axis(0, 0)})}, {{HEED_EXTENT, extent}}}});
  run_ok(t.program(), views);
  return out[0];
}

} // namespace

TEST_CASE("an extent must be the same wherever its name is") {
  table t;
  const number batch = t.symbol("batch"), keys = t.symbol("keys"), d = t(4);
  t.input("k", {batch, keys, d});
  t.input("v", {batch, keys, d});
  run_ok(t.program(), {tensor({2, 5, 4}), tensor({2, 5, 4})});
  refuses(t, {tensor({2, 6, 4}), tensor({2, 5, 4})},
          "v: axis 1 (keys) is 5, k says keys is 6; pass tensors whose keys agree");
  refuses(t, {tensor({2, 6, 4}), tensor({3, 6, 4})},
          "v: axis 0 (batch) is 3, k says batch is 2; pass tensors whose batch agree");
}

TEST_CASE("an extent that is a number must be that number") {
  table t;
  t.input("x", {t(3), t(8)});
  refuses(t, {tensor({3, 7})}, "x: axis 1 is 7, 8 is needed; pass a tensor whose axis 1 is 8");
}

TEST_CASE("a product is compared with what its symbols make") {
  table t;
  const number heads = t.symbol("heads"), d = t.symbol("d");
  const number product = t.extent(2, 1, {{0, 1}, {1, 1}});
  t.input("q", {heads, d});
  t.input("x", {product});
  run_ok(t.program(), {tensor({3, 4}), tensor({24})});
  refuses(t, {tensor({3, 4}), tensor({25})},
          "x: axis 0 (2*heads*d) is 25, 24 is needed because q says heads is 3, q says d is 4; pass tensors "
          "whose "
          "sizes agree");
}

TEST_CASE("a symbol in a product is found by exact division") {
  table t;
  const number heads = t.symbol("heads");
  t.symbol("d");
  const number product = t.extent(2, 1, {{0, 1}, {1, 1}}), d = 2;
  t.input("x", {product});
  t.input("q", {heads});
  const number out = t.output("y", {0});
  CHECK(value_of(t, d, out, {tensor({24}), tensor({3})}) == 4);
  table again;
  again.symbol("heads");
  again.symbol("d");
  again.input("x", {again.extent(2, 1, {{0, 1}, {1, 1}})});
  again.input("q", {1});
  refuses(
      again, {tensor({25}), tensor({3})},
      "x: axis 0 (2*heads*d) is 25, a multiple of 6 is needed; pass a tensor whose axis 0 gives a whole d");
}

TEST_CASE("a solved symbol helps to solve the next") {
  table t;
  t.symbol("a");
  t.symbol("b");
  t.symbol("c");
  t.input("x", {t.extent(1, 1, {{0, 1}, {1, 1}})});
  t.input("y", {t.extent(1, 1, {{1, 1}, {2, 1}})});
  t.input("z", {t.extent(3, 1, {{2, 1}})});
  const number out = t.output("out", {0});
  CHECK(value_of(t, 1, out, {tensor({8}), tensor({20}), tensor({15})}) == 2);
}

TEST_CASE("a fraction of a symbol is solved too") {
  table t;
  const number width = t.symbol("width");
  t.input("x", {t.extent(1, 8, {{0, 1}})});
  const number out = t.output("out", {0});
  CHECK(value_of(t, width, out, {tensor({5})}) == 40);
}

TEST_CASE("a symbol that nothing determines is named") {
  table t;
  t.symbol("heads");
  t.symbol("d");
  t.input("x", {t.extent(1, 1, {{0, 1}, {1, 1}})});
  const std::string sentence = "kernel: no argument tells how large heads is, an axis with only that unknown "
                               "is needed; pass tensors whose "
                               "other sizes are not zero";
  refuses(t, {tensor({6})}, sentence);
  table zero;
  zero.symbol("heads");
  zero.symbol("d");
  zero.input("x", {zero.extent(1, 1, {{0, 1}, {1, 1}})});
  zero.input("q", {2});
  refuses(zero, {tensor({0}), tensor({0})}, sentence);
}

TEST_CASE("a derived extent must be whole, unless it is rounded up") {
  table t;
  const number width = t.symbol("width"), heads = t.symbol("heads");
  const number depth = t.extent(1, 1, {{0, 1}, {1, -1}});
  t.input("x", {width, heads});
  const number out = t.output("y", {0});
  refuses(t, {tensor({10, 4}), tensor({1})},
          "kernel: width/heads is 10/4 (width is 10, heads is 4), a whole number is needed; pass tensors "
          "whose sizes "
          "divide");
  refuses(t, {tensor({10, 0}), tensor({1})},
          "kernel: width/heads is 10/0 (width is 10, heads is 0), a whole number is needed; pass tensors "
          "whose sizes "
          "divide");
  CHECK(value_of(t, depth, out, {tensor({12, 4})}) == 3);
  table rounded;
  rounded.symbol("keys");
  rounded.input("k", {1});
  const number y = rounded.output("y", {0}), chunks = rounded.extent(1, 4, {{0, 1}}, true);
  CHECK(value_of(rounded, chunks, y, {tensor({9})}) == 3);
}

TEST_CASE("powers multiply") {
  table t;
  t.symbol("n");
  t.input("x", {1});
  const number out = t.output("y", {0}), square = t.extent(3, 1, {{0, 2}});
  CHECK(value_of(t, square, out, {tensor({5})}) == 75);
}

TEST_CASE("sizes too large for 64 bits don't wrap") {
  table t;
  t.symbol("n");
  t.input("x", {1, 0});
  const number fourth = t.extent(1, 1, {{0, 4}});
  t.input("z", {fourth});
  const heed_view x = heed::view{memory.data(), {1 << 16, 1}, {0, 1}};
  refuses(
      t, {x, tensor({0})},
      "z: axis 0 (n*n*n*n) is 0, 9223372036854775807 is needed because x says n is 65536; pass tensors whose "
      "sizes agree");
}

TEST_CASE("a scalar that needs more than 32 bits is refused") {
  table t;
  t.symbol("n");
  t.input("x", {1, 0});
  const number square = t.extent(1, 1, {{0, 2}}), out = t.output("y", {0});
  t.step({{note_scalar, {}, {written(out, 1, {axis(0, 0)})}, {{HEED_EXTENT, square}}}});
  guarded y(1);
  check_refused(
      run(t.program(), {heed::view{memory.data(), {1 << 16, 1}, {0, 1}}, heed::view{y.data(), {1}}}),
      HEED_UNSUPPORTED,
      "tile: an extent is 4294967296, at most 2147483647 is supported; pass a shorter tensor");
}
