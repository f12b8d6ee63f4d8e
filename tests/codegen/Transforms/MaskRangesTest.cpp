// Ranges against the masks themselves: no visible key outside `visible`, no hidden key inside `full`, for
// every block of queries and many lengths.
#include "Transforms/MaskRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <string>

using namespace heed;

namespace {

struct Block {
  int64_t q0, q1, m, n;
};

int64_t evaluate(const KeyExpr &expr, const Block &block) {
  auto operand = [&](size_t i) { return evaluate(expr.operands[i], block); };
  switch (expr.kind) {
  case KeyExpr::Kind::FirstQuery:
    return block.q0;
  case KeyExpr::Kind::LastQuery:
    return block.q1;
  case KeyExpr::Kind::Extent:
    return expr.extent.str() == "m" ? block.m : expr.extent.str() == "n" ? block.n : 3;
  case KeyExpr::Kind::Sum: {
    int64_t sum = expr.number;
    for (size_t i = 0; i < expr.operands.size(); ++i)
      sum += expr.coefficients[i] * operand(i);
    return sum;
  }
  case KeyExpr::Kind::FloorDivide:
    return int64_t(std::floor(double(operand(0)) / double(expr.number)));
  case KeyExpr::Kind::Minimum:
    return std::min(operand(0), operand(1));
  case KeyExpr::Kind::Maximum:
    return std::max(operand(0), operand(1));
  }
  return 0;
}

/// Positions b, h, q, k and the lengths m, n.
using Mask = std::function<bool(int64_t h, int64_t q, int64_t k, int64_t m, int64_t n)>;

/// An attention whose region computes %v from %b, %h, %q, %k, %m, %n and the numbers %c0 to %c5.
std::string attention(const std::string &body) {
  std::string numbers;
  for (int i = 0; i < 6; ++i)
    numbers += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : i64\n";
  return "!t = !heed.tensor<[3, 3, m, 4], f32>\n!u = !heed.tensor<[3, 3, n, 4], f32>\n"
         "heed.kernel @k(%queries: !t {heed.name = \"queries\", heed.role = \"input\"}, %keys: !u {heed.name "
         "= \"keys\", "
         "heed.role = "
         "\"input\"}) -> (!t {heed.name = \"y\"}) {\n"
         "%0 = heed.attention %queries, %keys, %keys scale 1.0 : (!t, !u, !u) -> !t {\n"
         "^bb0(%score: f32, %b: i64, %h: i64, %q: i64, %k: i64):\n" +
         numbers + "%m = heed.extent_value <m>\n%n = heed.extent_value <n>\n" + body +
         "\nheed.yield %score, %v : f32, i1\n}\nheed.return %0 : !t\n}\n";
}

/// Counts the keys that visible spares and full promises, to show that the ranges say something.
struct Use {
  int64_t spared = 0, promised = 0;
};

Use check(const std::string &body, const Mask &mask) {
  mlir::MLIRContext context;
  context.loadDialect<ir::HeedDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(attention(body), &context);
  REQUIRE(module);
  MaskRanges ranges;
  module->walk([&](ir::AttentionOp op) { ranges = deriveMaskRanges(op); });
  INFO(body << "\nvisible " << ranges.visible.str() << ", full " << ranges.full.str());
  Use use;
  int64_t wrong = 0;
  for (int64_t m : {1, 5, 13})
    for (int64_t n : {1, 6, 17})
      for (int64_t q0 = 0; q0 < m; ++q0)
        for (int64_t q1 = q0; q1 < m; ++q1) {
          Block block{q0, q1, m, n};
          int64_t lower = evaluate(ranges.visible.lower, block),
                  upper = evaluate(ranges.visible.upper, block);
          int64_t fullLower = evaluate(ranges.full.lower, block),
                  fullUpper = evaluate(ranges.full.upper, block);
          wrong += lower < 0 || upper > n || fullLower < 0 || fullUpper > n;
          for (int64_t k = 0; k < n; ++k) {
            bool inside = lower <= k && k < upper, promised = fullLower <= k && k < fullUpper;
            use.spared += !inside;
            use.promised += promised;
            for (int64_t h = 0; h < 3; ++h)
              for (int64_t q = q0; q <= q1; ++q) {
                bool visible = mask(h, q, k, m, n);
                wrong += (visible && !inside) || (!visible && promised);
              }
          }
        }
  CHECK(wrong == 0);
  return use;
}

void checkUseful(const std::string &body, const Mask &mask) {
  Use use = check(body, mask);
  CHECK(use.spared > 0);
  CHECK(use.promised > 0);
}

int64_t floorDivide(int64_t x, int64_t y) { return int64_t(std::floor(double(x) / double(y))); }

} // namespace

TEST_CASE("ranges of common masks hold every visible key and promise no hidden one") {
  checkUseful("%v = arith.cmpi sle, %k, %q : i64", [](auto, auto q, auto k, auto, auto) { return k <= q; });
  checkUseful("%d = arith.subi %n, %m : i64\n%e = arith.addi %q, %d : i64\n%v = arith.cmpi sge, %e, %k : i64",
              [](auto, auto q, auto k, auto m, auto n) { return q + n - m >= k; });
  checkUseful("%d = arith.subi %q, %k : i64\n%a = math.absi %d : i64\n%v = arith.cmpi sle, %a, %c2 : i64",
              [](auto, auto q, auto k, auto, auto) { return std::abs(q - k) <= 2; });
  checkUseful("%a = arith.cmpi sle, %k, %q : i64\n%d = arith.subi %q, %k : i64\n"
              "%b1 = arith.cmpi slt, %d, %c4 : i64\n%v = arith.andi %a, %b1 : i1",
              [](auto, auto q, auto k, auto, auto) { return k <= q && q - k < 4; });
  checkUseful(
      "%a = arith.cmpi sle, %k, %q : i64\n%b1 = arith.cmpi slt, %k, %c3 : i64\n%v = arith.ori %a, %b1 : i1",
      [](auto, auto q, auto k, auto, auto) { return k <= q || k < 3; });
}

TEST_CASE("ranges of division, products and extremes are right") {
  checkUseful("%x = arith.floordivsi %k, %c4 : i64\n%y = arith.floordivsi %q, %c4 : i64\n"
              "%v = arith.cmpi eq, %x, %y : i64",
              [](auto, auto q, auto k, auto, auto) { return floorDivide(k, 4) == floorDivide(q, 4); });
  checkUseful(
      "%x = arith.subi %k, %c5 : i64\n%y = arith.floordivsi %x, %c3 : i64\n%v = arith.cmpi sgt, %q, %y : i64",
      [](auto, auto q, auto k, auto, auto) { return q > floorDivide(k - 5, 3); });
  checkUseful(
      "%x = arith.muli %k, %c3 : i64\n%y = arith.addi %q, %c5 : i64\n%v = arith.cmpi sge, %x, %y : i64",
      [](auto, auto q, auto k, auto, auto) { return 3 * k >= q + 5; });
  check("%x = arith.maxsi %k, %c3 : i64\n%y = arith.addi %q, %c4 : i64\n%v = arith.cmpi slt, %x, %y : i64",
        [](auto, auto q, auto k, auto, auto) { return std::max<int64_t>(k, 3) < q + 4; });
  check("%x = arith.minsi %k, %q : i64\n%v = arith.cmpi sge, %x, %c2 : i64",
        [](auto, auto q, auto k, auto, auto) { return std::min(k, q) >= 2; });
  checkUseful("%e = arith.addi %q, %h : i64\n%v = arith.cmpi sle, %k, %e : i64",
              [](auto h, auto q, auto k, auto, auto) { return k <= q + h; });
}

TEST_CASE("negation, choice and distance") {
  checkUseful(
      "%t = arith.constant true\n%a = arith.cmpi sgt, %k, %q : i64\n%b1 = arith.cmpi slt, %k, %c2 : i64\n"
      "%o = arith.ori %a, %b1 : i1\n%v = arith.xori %o, %t : i1",
      [](auto, auto q, auto k, auto, auto) { return !(k > q || k < 2); });
  check("%a = arith.cmpi slt, %q, %c3 : i64\n%x = arith.cmpi sle, %k, %c4 : i64\n%y = arith.cmpi sle, %k, %q "
        ": i64\n"
        "%v = arith.select %a, %x, %y : i1",
        [](auto, auto q, auto k, auto, auto) { return q < 3 ? k <= 4 : k <= q; });
  check("%d = arith.subi %q, %k : i64\n%a = math.absi %d : i64\n%v = arith.cmpi sge, %a, %c3 : i64",
        [](auto, auto q, auto k, auto, auto) { return std::abs(q - k) >= 3; });
  check("%v = arith.cmpi ne, %k, %q : i64", [](auto, auto q, auto k, auto, auto) { return k != q; });
  check("%d = arith.muli %q, %k : i64\n%v = arith.cmpi sle, %d, %c5 : i64",
        [](auto, auto q, auto k, auto, auto) { return q * k <= 5; });
}
