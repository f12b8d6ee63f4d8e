// The general path, and the copies where strides cannot express a view.
#include "Compiled.h"
#include "Naive.h"
#include "Text.h"

#include <catch2/catch.hpp>

using namespace heed;

TEST_CASE("matmul broadcasts leading axes and reads views in place") {
  std::string a = tensor("b, h, m, k"), right = tensor("h, k, n"), y = tensor("b, h, m, n"),
              t = tensor("h, n, k");
  static const Compiled library(kernel("plain", {a, right}, y, only("heed.matmul %x0, %x1", {a, right}, y)) +
                                kernel("transposed", {a, t}, y,
                                       "%t = heed.transpose %x1 : (" + t + ") -> " + right + "\n" +
                                           only("heed.matmul %x0, %t", {a, right}, y)));
  CHECK(library.programs[1].steps.size() == 1);
  for (auto [b, h, m, n, k] :
       {std::tuple(2, 3, 5, 7, 9), {1, 2, 70, 65, 33}, {2, 1, 1, 1, 1}, {1, 1, 3, 4, 0}}) {
    bool isTransposed = GENERATE(false, true);
    auto left = Tensor<float>::random({b, h, m, k}, 1);
    auto other = Tensor<float>::random(isTransposed ? Index{h, n, k} : Index{h, k, n}, 2);
    Tensor<float> result({b, h, m, n});
    REQUIRE(library.call(isTransposed ? "transposed" : "plain", {left.view(), other.view(), result.view()}) ==
            "");
    CHECK(largestDifference(result, [&, k = k](const Index &i) {
            double sum = 0;
            for (int64_t d = 0; d < k; ++d)
              sum += left.at({i[0], i[1], i[2], d}) *
                     other.at(isTransposed ? Index{i[1], i[3], d} : Index{i[1], d, i[3]});
            return sum;
          }) < 1e-5);
    CHECK(result.guardsIntact());
  }
}

TEST_CASE("map: broadcasting, conditions and every rank") {
  std::string x = tensor("a, b, c, d, e, f"), row = tensor("e, 1"), flags = tensor("f", "i1"),
              none = tensor("");
  std::string region = "{\n^bb0(%p: f32, %q: f32, %r: i1, %s: f32):\n%m = arith.mulf %p, %q : f32\n"
                       "%n = arith.select %r, %m, %s : f32\nheed.yield %n : f32\n}\n";
  auto mapOf = [&](const std::string &name, const std::string &shape) {
    std::string type = tensor(shape);
    return kernel(name, {type, row, flags, none}, type,
                  "%y = heed.map %x0, %x1, %x2, %x3 : (" + type + ", " + row + ", " + flags + ", " + none +
                      ") -> " + type + " " + region + "heed.return %y : " + type);
  };
  static const Compiled library(mapOf("six", "a, b, c, d, e, f") + mapOf("two", "e, f"));
  auto check = [](const std::string &name, Index shape) {
    auto x = Tensor<float>::random(shape, 1), column = Tensor<float>::random({shape[shape.size() - 2], 1}, 2),
         other = Tensor<float>::random({}, 3);
    auto flag = Tensor<uint8_t>::random({shape.back()}, 4, 0, 2);
    Tensor<float> y(shape);
    REQUIRE(library.call(name, {x.view(), column.view(), flag.view(), other.view(), y.view()}) == "");
    CHECK(largestDifference(y, [&](const Index &i) {
            return flag.at(i) != 0 ? x.at(i) * column.at(i) : other.at(i);
          }) < 1e-6);
    CHECK(y.guardsIntact());
  };
  check("six", {2, 1, 3, 2, 5, 7});
  check("six", {1, 2, 1, 2, 1, 1});
  check("two", {70, 300});
  check("two", {1, 1});
  check("two", {0, 4});
}

TEST_CASE("map: positions, extents and captures") {
  std::string x = tensor("a, b, c, d, e, f"), table = tensor("f"), y2 = tensor("e, f");
  auto mapOf = [&](const std::string &name, const std::string &type, int last) {
    std::string row = std::to_string(last - 1), column = std::to_string(last);
    return kernel(
        name, {type, table}, type,
        "%y = heed.map %x0 captures(%x1) : (" + type + ", " + table + ") -> " + type +
            " {\n^bb0(%p: f32, %t: " + table + "):\n%row = heed.position " + row +
            "\n%column = heed.position " + column +
            "\n%first = heed.position 0\n%n = heed.extent_value <f>\n" +
            "%e = heed.element %t[%column] : " + table + " -> f32\n%sum = arith.addi %row, %first : i64\n" +
            "%two = arith.addi %sum, %n : i64\n%see = arith.cmpi sle, %column, %sum : i64\n" +
            "%r = arith.sitofp %two : i64 to f32\n%m = arith.mulf %e, %r : f32\n" +
            "%s = arith.select %see, %m, %p : f32\nheed.yield %s : f32\n}\nheed.return %y : " + type);
  };
  static const Compiled library(mapOf("six", x, 5) + mapOf("two", y2, 1));
  auto check = [](const std::string &name, Index shape) {
    auto x = Tensor<float>::random(shape, 1), table = Tensor<float>::random({shape.back()}, 2);
    Tensor<float> y(shape);
    REQUIRE(library.call(name, {x.view(), table.view(), y.view()}) == "");
    CHECK(largestDifference(y, [&](const Index &i) {
            int64_t column = i.back(), sum = i[i.size() - 2] + i[0];
            return column <= sum ? table.at({column}) * double(sum + shape.back()) : x.at(i);
          }) < 1e-6);
    CHECK(y.guardsIntact());
  };
  check("six", {3, 2, 1, 2, 7, 9});
  check("two", {75, 600});
}

TEST_CASE("integers and truth as results") {
  std::string x = tensor("n"), i = tensor("n", "i32"), t = tensor("n", "i1");
  static const Compiled library(kernel("less", {x, x}, t,
                                       "%y = heed.map %x0, %x1 : (" + x + ", " + x + ") -> " + t +
                                           " {\n^bb0(%p: f32, %q: f32):\n%c = arith.cmpf olt, %p, %q : "
                                           "f32\nheed.yield %c : i1\n}\nheed.return %y : " +
                                           t) +
                                kernel("halves", {i, i}, i,
                                       "%y = heed.map %x0, %x1 : (" + i + ", " + i + ") -> " + i +
                                           " {\n^bb0(%p: i64, %q: i64):\n%c = arith.floordivsi %p, %q : "
                                           "i64\nheed.yield %c : i64\n}\nheed.return %y : " +
                                           i));
  Tensor<int32_t> p({6}), q({6}), quotient({6});
  const int32_t dividends[] = {7, -7, 7, -7, 2147483647, 5}, divisors[] = {2, 2, -2, -2, 1, 0};
  std::copy(dividends, dividends + 6, p.begin());
  std::copy(divisors, divisors + 6, q.begin());
  REQUIRE(library.call("halves", {p.view(), q.view(), quotient.view()}) == "");
  CHECK(std::vector<int32_t>(quotient.begin(), quotient.end()) ==
        std::vector<int32_t>{3, -4, -4, 3, 2147483647, 0});

  auto a = Tensor<float>::random({9}, 1), b = Tensor<float>::random({9}, 2);
  Tensor<uint8_t> less({9});
  REQUIRE(library.call("less", {a.view(), b.view(), less.view()}) == "");
  for (int64_t n = 0; n < 9; ++n)
    CHECK(less.begin()[n] == (a.begin()[n] < b.begin()[n] ? 1 : 0));
}

TEST_CASE("copies: only where strides can't express a view") {
  std::string heads = tensor("b, h, s, d"), merged = tensor("b, s, d*h"), swapped = tensor("b, s, h, d");
  std::string turned = tensor("b, h, d, s");
  static const Compiled library(
      kernel("merge", {heads}, merged, only("heed.merge_heads %x0", {heads}, merged)) +
      kernel("split", {merged}, heads, only("heed.split_heads %x0 into <h>", {merged}, heads)) +
      kernel("turn", {heads}, turned, only("heed.transpose %x0", {heads}, turned)) +
      kernel("same", {heads}, heads, "heed.return %x0 : " + heads));
  for (const program::Program &program : library.programs)
    CHECK(program.steps.size() == 1);
  auto check = [](const std::string &name, Index from, Index to, auto map) {
    auto x = Tensor<float>::random(from, 1);
    Tensor<float> y(to);
    REQUIRE(library.call(name, {x.view(), y.view()}) == "");
    CHECK(largestDifference(y, [&](const Index &i) { return x.at(map(i)); }) == 0);
    CHECK(y.guardsIntact());
  };
  check("merge", {2, 3, 5, 4}, {2, 5, 12},
        [](const Index &i) { return Index{i[0], i[2] / 4, i[1], i[2] % 4}; });
  check("split", {2, 5, 12}, {2, 3, 5, 4}, [](const Index &i) { return Index{i[0], i[2], i[1] * 4 + i[3]}; });
  check("turn", {2, 3, 5, 4}, {2, 3, 4, 5}, [](const Index &i) { return Index{i[0], i[1], i[3], i[2]}; });
  check("same", {2, 3, 5, 4}, {2, 3, 5, 4}, [](const Index &i) { return i; });
}

TEST_CASE("a value returned twice is copied once, an intermediate output is read in place") {
  std::string x = tensor("n, 4"), w = tensor("4, 4");
  std::string text = "heed.kernel @twice(%x: " + x + " {heed.name = \"x\", heed.role = \"input\"}, %w: " + w +
                     " {heed.name = \"w\", heed.role = \"weight\"}) -> (" + x + " {heed.name = \"p\"}, " + x +
                     " {heed.name = \"q\"}, " + x + " {heed.name = \"r\"}) {\n%0 = heed.linear %x, %w : (" +
                     x + ", " + w + ") -> " + x + "\n%1 = heed.linear %0, %w : (" + x + ", " + w + ") -> " +
                     x + "\nheed.return %0, %0, %1 : " + x + ", " + x + ", " + x + "\n}\n";
  static const Compiled library(text);
  CHECK(library.programs[0].steps.size() == 3);
  CHECK(library.programs[0].temporaries.empty());
  auto xs = Tensor<float>::random({5, 4}, 1), ws = Tensor<float>::random({4, 4}, 2);
  Tensor<float> p({5, 4}), q({5, 4}), r({5, 4});
  REQUIRE(library.call("twice", {xs.view(), ws.view(), p.view(), q.view(), r.view()}) == "");
  auto once = [&](const Index &i) { return linearAt([&](auto &j) { return xs.at(j); }, ws, nullptr, i); };
  CHECK(largestDifference(p, once) < 1e-5);
  CHECK(largestDifference(q, once) < 1e-5);
  CHECK(largestDifference(r, [&](const Index &i) { return linearAt(once, ws, nullptr, i); }) < 1e-5);
}

TEST_CASE("the error function of elements") {
  std::string x = tensor("m, n"),
              region = "{\n^bb0(%p: f32):\n%e = math.erf %p : f32\nheed.yield %e : f32\n}\n";
  static const Compiled library(kernel(
      "erf", {x}, x, "%y = heed.map %x0 : (" + x + ") -> " + x + " " + region + "heed.return %y : " + x));
  auto x0 = Tensor<float>::random({3, 37}, 1, -5, 5);
  Tensor<float> y({3, 37});
  REQUIRE(library.call("erf", {x0.view(), y.view()}) == "");
  CHECK(largestDifference(y, [&](const Index &i) { return std::erf(x0.at(i)); }) < 1e-6);
  CHECK(y.guardsIntact());
}
