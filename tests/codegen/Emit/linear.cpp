// Linear layers against the formula, and where their results lie.
#include "Compiled.h"
#include "Naive.h"

#include <catch2/catch.hpp>

using namespace heed;

namespace {

std::string tensor(const std::string &shape) { return "!heed.tensor<[" + shape + "], f32>"; }

std::string argument(const std::string &name, const std::string &type, const std::string &role = "input") {
  return "%" + name + ": " + type + " {heed.name = \"" + name + "\", heed.role = \"" + role + "\"}";
}

std::string output(const std::string &type) { return type + " {heed.name = \"y\"}"; }

std::string linearKernel(const std::string &name, const std::string &leading, const std::string &in,
                         const std::string &out, bool bias) {
  std::string x = tensor(leading + in), w = tensor(out + ", " + in), b = tensor(out),
              y = tensor(leading + out);
  return "heed.kernel @" + name + "(" + argument("x", x) + ", " + argument("w", w, "weight") +
         (bias ? ", " + argument("b", b, "weight") : "") + ") -> (" + output(y) +
         ") {\n%0 = heed.linear %x, %w" + (bias ? ", %b" : "") + " : (" + x + ", " + w +
         (bias ? ", " + b : "") + ") -> " + y + "\nheed.return %0 : " + y + "\n}\n";
}

void check(const Compiled &library, const std::string &kernel, Index shape, int64_t out, bool bias) {
  CAPTURE(kernel, shape, out);
  auto x = Tensor<float>::random(shape, 1);
  auto w = Tensor<float>::random({out, shape.back()}, 2), b = Tensor<float>::random({out}, 3);
  shape.back() = out;
  Tensor<float> y(shape);
  std::vector<heed_view> views{x.view(), w.view()};
  if (bias)
    views.push_back(b.view());
  views.push_back(y.view());
  REQUIRE(library.call(kernel, views) == "");
  auto expected = [&](const Index &i) {
    return linearAt([&](auto &j) { return x.at(j); }, w, bias ? &b : nullptr, i);
  };
  CHECK(largestDifference(y, expected) < 1e-5);
  CHECK(y.guardsIntact());
}

} // namespace

TEST_CASE("linear layers of every size class") {
  static const Compiled library(linearKernel("known", "rows, ", "96", "40", true) +
                                linearKernel("symbolic", "rows, ", "in", "out", false) +
                                linearKernel("batched", "batch, rows, ", "in", "out", true) +
                                linearKernel("vector", "", "in", "out", true) +
                                linearKernel("deep", "a, b, c, ", "in", "out", false));
  for (int64_t rows : {0, 1, 3, 17, 64, 301})
    check(library, "known", {rows, 96}, 40, true);
  for (auto [rows, in, out] :
       {std::tuple(5, 1, 1), {1, 7, 3}, {130, 65, 129}, {70, 20, 300}, {400, 8, 150}, {33, 0, 5}, {4, 3, 0}})
    check(library, "symbolic", {rows, in}, out, false);
  check(library, "batched", {2, 5, 10}, 8, true);
  check(library, "batched", {3, 90, 33}, 47, true);
  check(library, "vector", {19}, 21, true);
  check(library, "deep", {2, 3, 4, 5}, 6, false);
}

TEST_CASE("linear layers on both sides of the limit of few rows") {
  static const Compiled library(linearKernel("known", "rows, ", "96", "40", true) +
                                linearKernel("symbolic", "rows, ", "in", "out", true) +
                                linearKernel("batched", "batch, rows, ", "in", "out", false) +
                                linearKernel("one", "1, ", "51", "300", true));
  REQUIRE(library.programs[0].steps[0].alternatives.size() == 3);
  const auto &few = library.programs[0].steps[0].alternatives[0];
  REQUIRE(few.conditions.size() == 1);
  CHECK(few.conditions[0].atMost == 8);
  CHECK(few.launches[0].name == "known.linear few");
  CHECK(library.programs[3].steps[0].alternatives.size() == 1);
  for (int64_t rows = 1; rows <= 9; ++rows) {
    check(library, "known", {rows, 96}, 40, true);
    for (auto [in, out] : {std::pair(1, 1), {15, 130}, {64, 128}, {77, 33}, {0, 5}})
      check(library, "symbolic", {rows, in}, out, true);
    check(library, "batched", {rows, 1, 35}, 19, false);
    check(library, "batched", {2, rows, 35}, 270, false);
  }
  check(library, "one", {1, 51}, 300, true);
}

TEST_CASE("few rows pass through the epilogue") {
  std::string x = tensor("rows, in"), w = tensor("out, in"), y = tensor("rows, out"), number = tensor("out");
  std::string text = "heed.kernel @gated(" + argument("x", x) + ", " + argument("w", w, "weight") + ", " +
                     argument("r", y) + ", " + argument("g", number) + ") -> (" + output(y) +
                     ") {\n%0 = heed.linear %x, %w inputs(%r, %g) : (" + x + ", " + w + ", " + y + ", " +
                     number + ") -> " + y +
                     R"( epilogue {
  ^bb0(%value: f32, %residual: f32, %gain: f32):
    %zero = arith.constant 0.0 : f32
    %positive = arith.maximumf %value, %zero : f32
    %scaled = arith.mulf %positive, %gain : f32
    %sum = arith.addf %scaled, %residual : f32
    %row = heed.position 0
    %even = arith.constant 2 : i64
    %part = arith.remsi %row, %even : i64
    %none = arith.constant 0 : i64
    %isEven = arith.cmpi eq, %part, %none : i64
    %result = arith.select %isEven, %sum, %residual : f32
    heed.yield %result : f32
  }
)" +
                     "heed.return %0 : " + y + "\n}\n";
  static const Compiled library(text);
  for (int64_t rows = 1; rows <= 9; ++rows) {
    CAPTURE(rows);
    auto x = Tensor<float>::random({rows, 37}, 1), w = Tensor<float>::random({141, 37}, 2),
         r = Tensor<float>::random({rows, 141}, 3), g = Tensor<float>::random({141}, 4);
    Tensor<float> y({rows, 141});
    REQUIRE(library.call("gated", {x.view(), w.view(), r.view(), g.view(), y.view()}) == "");
    auto expected = [&](const Index &i) {
      double sum = linearAt([&](auto &j) { return x.at(j); }, w, nullptr, i);
      return i[0] % 2 == 0 ? std::max(sum, 0.0) * g.at({i[1]}) + r.at(i) : r.at(i);
    };
    CHECK(largestDifference(y, expected) < 1e-5);
    CHECK(y.guardsIntact());
  }
}

TEST_CASE("strided rows are read and written in place") {
  static const Compiled library(linearKernel("batched", "batch, rows, ", "in", "out", false));
  auto x = Tensor<float>::random({2, 6, 10}, 1), w = Tensor<float>::random({3, 4}, 2);
  Tensor<float> y({2, 6, 7});
  heed_view from = x.view(), to = y.view();
  from.extents[1] = to.extents[1] = 3; // every second row, part of its columns
  from.strides[1] = 20;
  from.extents[2] = 4;
  to.strides[1] = 14;
  to.extents[2] = 3;
  REQUIRE(library.call("batched", {from, w.view(), to}) == "");
  forEachIndex({2, 6, 7}, [&](const Index &i) {
    bool written = i[1] % 2 == 0 && i[2] < 3;
    CHECK(std::isnan(y.at(i)) != written);
    if (written)
      CHECK(y.at(i) == Approx(linearAt([&](auto &j) { return x.at(j); }, w, nullptr, i)).margin(1e-5));
  });
}

TEST_CASE("projections, attention and output run without a copy") {
  std::string x = tensor("b, s, 10"), w = tensor("8, 10"), p = tensor("b, s, 8"), h = tensor("b, 2, s, 4"),
              wo = tensor("6, 8"), y = tensor("b, s, 6");
  std::string text = "heed.kernel @block(" + argument("x", x) + ", " + argument("wq", w, "weight") + ", " +
                     argument("wk", w, "weight") + ", " + argument("wv", w, "weight") + ", " +
                     argument("wo", wo, "weight") + ") -> (" + output(y) + ") {\n";
  for (std::string name : {"q", "k", "v"})
    text += "%" + name + " = heed.linear %x, %w" + name + " : (" + x + ", " + w + ") -> " + p + "\n%" + name +
            "h = heed.split_heads %" + name + " into <2> : (" + p + ") -> " + h + "\n";
  text += "%a = heed.attention %qh, %kh, %vh scale 0.5 : (" + h + ", " + h + ", " + h + ") -> " + h +
          " {\n^bb0(%score: f32, %bi: i64, %hi: i64, %i: i64, %j: i64):\n%true = arith.constant true\n"
          "heed.yield %score, %true : f32, i1\n}\n%m = heed.merge_heads %a : (" +
          h + ") -> " + p + "\n%y = heed.linear %m, %wo : (" + p + ", " + wo + ") -> " + y +
          "\nheed.return %y : " + y + "\n}\n";
  static const Compiled library(text);
  CHECK(library.programs[0].steps.size() == 5);
  // Queries, keys, values and attended rows beside each other, and the parts of few rows.
  CHECK(library.programs[0].slots <= 7);

  auto xs = Tensor<float>::random({3, 11, 10}, 1), q = Tensor<float>::random({8, 10}, 2),
       k = Tensor<float>::random({8, 10}, 3), v = Tensor<float>::random({8, 10}, 4),
       o = Tensor<float>::random({6, 8}, 5);
  Tensor<float> result({3, 11, 6});
  REQUIRE(library.call("block", {xs.view(), q.view(), k.view(), v.view(), o.view(), result.view()}) == "");
  auto projected = [&](const Tensor<float> &w) {
    return [&](const Index &i) { // (b, h, s, d)
      return linearAt([&](auto &j) { return xs.at(j); }, w, nullptr, {i[0], i[2], i[1] * 4 + i[3]});
    };
  };
  AttentionFormula attention{11, 4, 0.5, projected(q), projected(k), projected(v)};
  auto merged = [&](const Index &i) { return attention({i[0], i[2] / 4, i[1], i[2] % 4}); };
  CHECK(largestDifference(result, [&](const Index &i) { return linearAt(merged, o, nullptr, i); }) < 1e-5);
  CHECK(result.guardsIntact());
}

TEST_CASE("an epilogue that drops nothing has functions without random numbers") {
  std::string x = tensor("rows, 24"), w = tensor("40, 24"), y = tensor("rows, 40"), number = tensor("");
  std::string text = "heed.kernel @dropped(" + argument("x", x) + ", " + argument("w", w, "weight") + ", " +
                     argument("p", number, "scalar") + ") -> (" + output(y) +
                     ") {\n%0 = heed.linear %x, %w captures(%p) : (" + x + ", " + w + ", " + number +
                     ") -> " + y +
                     R"( epilogue {
  ^bb0(%value: f32, %probability: !heed.tensor<[], f32>):
    %column = heed.position 1
    %uniform = heed.uniform %column, %column site 0
    %limit = heed.element %probability[] : !heed.tensor<[], f32> -> f32
    %keeps = arith.cmpf oge, %uniform, %limit : f32
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %keeps, %value, %zero : f32
    heed.yield %kept : f32
  }
)" +
                     "heed.return %0 : " + y + "\n}\n";
  static const Compiled library(text);
  const auto &alternatives = library.programs[0].steps[0].alternatives;
  REQUIRE(alternatives.size() == 6); // few rows, some and many, each with and without random numbers
  for (size_t n = 0; n < 3; ++n) {
    REQUIRE(alternatives[n].zeroArgument.has_value());
    CHECK(library.programs[0].arguments[*alternatives[n].zeroArgument].name == "p");
    CHECK(alternatives[n + 3].zeroArgument == std::nullopt);
    CHECK(alternatives[n].launches[0].function != alternatives[n + 3].launches[0].function);
  }
}
