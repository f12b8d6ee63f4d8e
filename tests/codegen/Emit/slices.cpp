// Slices are read in place: offsets, not copies, where strides can say where they lie.
#include "Compiled.h"
#include "Naive.h"
#include "Pieces.h"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::text;

namespace {

const std::string dense = "%true = arith.constant true\nheed.yield %score, %true : f32, i1\n";

/// `%result = heed.slice %x axis A start <S>`; without a start it is 0.
std::string slice(const std::string &result, const std::string &x, int axis, const std::string &start,
                  const std::string &from, const std::string &to) {
  return line(result,
              "slice %" + x + " axis " + std::to_string(axis) +
                  (start.empty() ? std::string() : " start <" + start + ">"),
              {from}, to);
}

size_t steps(const Compiled &library) { return library.programs[0].steps.size(); }

/// The (b, s, 3·h·d) result of one linear as q, k and v (b, h, s, d).
std::string threeHeads(const std::string &merged, const std::string &part, const std::string &heads) {
  std::string text;
  const char *names[] = {"q", "k", "v"}, *starts[] = {"", "d", "2*d"};
  for (int i = 0; i < 3; ++i) {
    std::string name = names[i];
    text += slice(name + "_part", "qkv", 2, starts[i], merged, part) +
            line(name, "split_heads %" + name + "_part into <h>", {part}, heads);
  }
  return text;
}

} // namespace

TEST_CASE("queries, keys and values of one projection are read in place") {
  std::string x = tensor("b, s, d"), w = tensor("3*d, d"), merged = tensor("b, s, 3*d"),
              heads = tensor("b, h, s, d/h"), sizes = tensor("h");
  static const Compiled library(
      kernel("block", {{"x", x}, {"w", w, "weight"}, {"sizes", sizes}}, {{"y", x}},
             line("qkv", "linear %x, %w", {x, w}, merged) + threeHeads(merged, x, heads) +
                 attention("o", {{"q", heads}, {"k", heads}, {"v", heads}}, heads, dense) +
                 line("y", "merge_heads %o", {heads}, x)));
  CHECK(steps(library) == 2);
  CHECK(library.programs[0].temporaries.size() <= 4); // the projection, and the parts of few rows
  for (auto [b, s, h, d] : {std::tuple(2, 5, 3, 12), {1, 70, 2, 32}, {3, 1, 1, 8}, {2, 0, 2, 4}}) {
    CAPTURE(b, s, h, d);
    auto input = Tensor<float>::random({b, s, d}, 1), weight = Tensor<float>::random({3 * d, d}, 2);
    Tensor<float> heads({h}), y({b, s, d});
    REQUIRE(library.call("block", {input.view(), weight.view(), heads.view(), y.view()}) == "");
    auto part = [&, d = d, h = h](int64_t number) {
      return [&, number, d, h](const Index &i) {
        return linearAt([&](auto &j) { return input.at(j); }, weight, nullptr,
                        {i[0], i[2], number * d + i[1] * (d / h) + i[3]});
      };
    };
    AttentionFormula formula{s, d / h, 0.25, part(0), part(1), part(2)};
    CHECK(largestDifference(y, [&, d = d, h = h](const Index &i) {
            return formula({i[0], i[2] / (d / h), i[1], i[2] % (d / h)});
          }) < 1e-5);
    CHECK(y.guardsIntact());
  }
}

TEST_CASE("parts of a stacked weight, and of one packed by layers, are read in place") {
  std::string x = tensor("b, s, d"), stacked = tensor("3*d, d"), packed = tensor("4, 3*d, d"),
              layer = tensor("1, 3*d, d"), w = tensor("d, d"), biases = tensor("3*d"), bias = tensor("d");
  static const Compiled library(
      kernel("stacked", {{"x", x}, {"w", stacked, "weight"}, {"c", biases, "weight"}}, {{"y", x}},
             slice("part", "w", 0, "2*d", stacked, w) + slice("bias", "c", 0, "2*d", biases, bias) +
                 line("y", "linear %x, %part, %bias", {x, w, bias}, x)) +
      kernel("packed", {{"x", x}, {"w", packed, "weight"}}, {{"y", x}},
             slice("one", "w", 0, "3", packed, layer) +
                 line("bare", "drop_axis %one axis 0", {layer}, stacked) +
                 slice("part", "bare", 0, "d", stacked, w) + line("y", "linear %x, %part", {x, w}, x)));
  for (const program::Program &program : library.programs) {
    CHECK(program.steps.size() == 1);
    CHECK(program.temporaries.empty());
  }
  auto [b, s, d] = GENERATE(std::tuple(2, 3, 5), std::tuple(1, 70, 33), std::tuple(3, 2, 0));
  auto input = Tensor<float>::random({b, s, d}, 1);
  Tensor<float> y({b, s, d});
  auto check = [&, d = d](Tensor<float> &weight, int64_t first, Tensor<float> *bias) {
    CHECK(largestDifference(y, [&](const Index &i) {
            double sum = bias ? bias->at({2 * d + i[2]}) : 0;
            for (int64_t j = 0; j < d; ++j)
              sum += input.at({i[0], i[1], j}) * *(weight.begin() + (first + i[2]) * d + j);
            return sum;
          }) < 1e-5);
    CHECK(y.guardsIntact());
  };
  SECTION("stacked") {
    auto weight = Tensor<float>::random({3 * d, d}, 2), bias = Tensor<float>::random({3 * d}, 3);
    REQUIRE(library.call("stacked", {input.view(), weight.view(), bias.view(), y.view()}) == "");
    check(weight, 2 * d, &bias);
  }
  SECTION("packed") {
    auto weight = Tensor<float>::random({4, 3 * d, d}, 2);
    REQUIRE(library.call("packed", {input.view(), weight.view(), y.view()}) == "");
    check(weight, (3 * 3 + 1) * d, nullptr);
  }
}

TEST_CASE("a slice that the strides cannot follow is copied") {
  std::string heads = tensor("b, 4, s, 6"), narrow = tensor("b, 4, s, 4"), few = tensor("b, 2, s, 6"),
              merged = tensor("b, s, 16"), side = tensor("b, s, 12"), x = tensor("b, s, 24");
  auto body = [&](int axis, const std::string &start, const std::string &part, const std::string &result,
                  const std::string &weight) {
    return line("heads", "split_heads %x into <4>", {x}, heads) +
           slice("part", "heads", axis, start, heads, part) +
           line("rows", "merge_heads %part", {part}, result) +
           line("y", "linear %rows, %w", {result, weight}, tensor("b, s, 3"));
  };
  std::string w16 = tensor("3, 16"), w12 = tensor("3, 12");
  static const Compiled gaps(kernel("gaps", {{"x", x}, {"w", w16, "weight"}}, {{"y", tensor("b, s, 3")}},
                                    body(3, "1", narrow, merged, w16)));
  static const Compiled dense(kernel("dense", {{"x", x}, {"w", w12, "weight"}}, {{"y", tensor("b, s, 3")}},
                                     body(1, "1", few, side, w12)));
  CHECK(steps(gaps) == 2);  // the rest of each head lies between
  CHECK(steps(dense) == 1); // neighbouring heads lie side by side
  auto input = Tensor<float>::random({2, 5, 24}, 1);
  auto check = [&](const Compiled &library, const std::string &name, int64_t inputs, auto columnOf) {
    auto weight = Tensor<float>::random({3, inputs}, 2);
    Tensor<float> y({2, 5, 3});
    REQUIRE(library.call(name, {input.view(), weight.view(), y.view()}) == "");
    CHECK(largestDifference(y, [&](const Index &i) {
            double sum = 0;
            for (int64_t j = 0; j < inputs; ++j)
              sum += input.at({i[0], i[1], columnOf(j)}) * weight.at({i[2], j});
            return sum;
          }) < 1e-5);
  };
  check(gaps, "gaps", 16, [](int64_t j) { return j / 4 * 6 + 1 + j % 4; });
  check(dense, "dense", 12, [](int64_t j) { return 6 + j; });
}

TEST_CASE("slices of slices add up") {
  std::string x = tensor("n, 4*m, 12"), half = tensor("n, 2*m, 12"), quarter = tensor("n, m, 12"),
              row = tensor("n, m, 5"), y = tensor("n, m, 5");
  static const Compiled library(kernel(
      "nested", {{"x", x}}, {{"y", y}},
      slice("half", "x", 1, "2*m", x, half) + slice("quarter", "half", 1, "m", half, quarter) +
          slice("columns", "quarter", 2, "4", quarter, tensor("n, m, 8")) +
          slice("row", "columns", 2, "3", tensor("n, m, 8"), row) + line("y", "softmax %row", {row}, y)));
  CHECK(steps(library) == 1);
  CHECK(library.programs[0].steps[0].alternatives[0].launches[0].operands[0].offsets.size() == 2);
  auto input = Tensor<float>::random({2, 12, 12}, 1);
  Tensor<float> result({2, 3, 5});
  REQUIRE(library.call("nested", {input.view(), result.view()}) == "");
  CHECK(largestDifference(result, [&](const Index &i) {
          double sum = 0;
          for (int64_t j = 0; j < 5; ++j)
            sum += std::exp(input.at({i[0], 9 + i[1], 7 + j}));
          return std::exp(input.at({i[0], 9 + i[1], 7 + i[2]})) / sum;
        }) < 1e-6);
  CHECK(result.guardsIntact());
}

TEST_CASE("more offsets than a program holds end in a copy") {
  std::string type = tensor("2, 2, 2, 2, 2"), text;
  std::vector<std::string> shape(5, "2");
  std::string from = type, value = "x";
  for (int axis = 0; axis < 5; ++axis) {
    shape[axis] = "1";
    std::string to = tensor(shape[0] + ", " + shape[1] + ", " + shape[2] + ", " + shape[3] + ", " + shape[4]);
    text += slice("s" + std::to_string(axis), value, axis, "1", from, to);
    value = "s" + std::to_string(axis), from = to;
  }
  static const Compiled library(
      kernel("last", {{"x", type}}, {{"y", from}}, text + line("y", "softmax %" + value, {from}, from)) +
      kernel("output", {{"x", type}}, {{"s4", from}}, text));
  CHECK(library.programs[0].steps.size() == 2);
  auto input = Tensor<float>::random({2, 2, 2, 2, 2}, 1);
  Tensor<float> result({1, 1, 1, 1, 1});
  REQUIRE(library.call("last", {input.view(), result.view()}) == "");
  CHECK(*result.begin() == 1);
  REQUIRE(library.call("output", {input.view(), result.view()}) == "");
  CHECK(*result.begin() == float(input.at({1, 1, 1, 1, 1})));
  CHECK(result.guardsIntact());
}

TEST_CASE("an output that is a slice is copied, one without an axis is written in place") {
  std::string x = tensor("n, 6"), y = tensor("n, 2"), packed = tensor("1, n, 6"), w = tensor("6, 6");
  static const Compiled library(
      kernel("part", {{"x", x}, {"w", w, "weight"}}, {{"y", y}},
             line("all", "linear %x, %w", {x, w}, x) + slice("y", "all", 1, "3", x, y)) +
      kernel("bare", {{"x", packed}, {"w", w, "weight"}}, {{"y", x}},
             line("all", "linear %x, %w", {packed, w}, packed) +
                 line("y", "drop_axis %all axis 0", {packed}, x)));
  CHECK(library.programs[0].steps.size() == 2);
  CHECK(library.programs[1].steps.size() == 1);
  CHECK(library.programs[1].temporaries.empty());
  auto input = Tensor<float>::random({7, 6}, 1), weight = Tensor<float>::random({6, 6}, 2);
  auto at = [&](const Index &i) {
    return linearAt([&](auto &j) { return input.at(j); }, weight, nullptr, i);
  };
  Tensor<float> part({7, 2}), bare({7, 6});
  REQUIRE(library.call("part", {input.view(), weight.view(), part.view()}) == "");
  CHECK(largestDifference(part, [&](const Index &i) { return at({i[0], 3 + i[1]}); }) < 1e-5);
  heed_view packedView = input.view();
  packedView.rank = 3;
  packedView.extents[0] = 1, packedView.extents[1] = 7, packedView.extents[2] = 6;
  packedView.strides[0] = 42, packedView.strides[1] = 6, packedView.strides[2] = 1;
  REQUIRE(library.call("bare", {packedView, weight.view(), bare.view()}) == "");
  CHECK(largestDifference(bare, at) < 1e-5);
  CHECK(bare.guardsIntact());
}

TEST_CASE("a table is looked up from its slice on, and one without rows gives 0") {
  std::string x = tensor("n", "i32"), table = tensor("rows, 4"), part = tensor("rows/2, 4"),
              y = tensor("n, 4");
  std::string body = slice("part", "table", 0, "rows/2", table, part) +
                     "%y = heed.map captures(%x, %part) : (" + x + ", " + part + ") -> " + y +
                     " {\n^bb0(%ids: " + x + ", %t: " + part +
                     "):\n%n = heed.position 0\n%c = heed.position 1\n%id = heed.element %ids[%n] : " + x +
                     " -> i64\n%e = heed.element %t[%id, %c] : " + part + " -> f32\nheed.yield %e : f32\n}\n";
  static const Compiled library(kernel("rows", {{"x", x}, {"table", table}}, {{"y", y}}, body));
  CHECK(steps(library) == 1);
  Tensor<int32_t> ids({5});
  for (int i = 0; i < 5; ++i)
    ids.begin()[i] = 3 * i - 2; // on both sides of the table
  for (int64_t rows : {8, 2, 0}) {
    auto values = Tensor<float>::random({rows, 4}, 1);
    Tensor<float> result({5, 4});
    REQUIRE(library.call("rows", {ids.view(), values.view(), result.view()}) == "");
    for (int64_t i = 0; i < 5; ++i)
      for (int64_t c = 0; c < 4; ++c) {
        int64_t row = rows / 2 + std::clamp<int64_t>(3 * i - 2, 0, std::max<int64_t>(rows / 2 - 1, 0));
        CHECK(result.at({i, c}) == (rows ? values.at({row, c}) : 0));
      }
  }
}
