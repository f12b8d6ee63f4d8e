// Ranges against the masks themselves: no visible key outside `visible`, no hidden key inside `full`, for
// every block of queries and many lengths.
#include "Transforms/MaskRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

using namespace heed;

namespace {

struct Block {
  int64_t q0, q1, m, n;
  int64_t e = 0, f = 0; ///< elements of the first and second capture
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
  case KeyExpr::Kind::Element: {
    auto element = expr.element.getDefiningOp<ir::ElementOp>();
    bool isFirst =
        mlir::cast<mlir::BlockArgument>(element.getTensor()).getArgNumber() == ir::AttentionOp::capturesAt;
    return std::clamp(isFirst ? block.e : block.f, -KeyExpr::elementLimit, KeyExpr::elementLimit);
  }
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

/// Positions h, q, k and the lengths m, n.
using Mask = std::function<bool(int64_t h, int64_t q, int64_t k, int64_t m, int64_t n)>;

/// An attention whose region computes %v from %b, %h, %q, %k, %m, %n, the numbers %c0 to %c5 and the elements
/// %e and %f.
std::string attention(const std::string &body) {
  std::string numbers;
  for (int i = 0; i < 6; ++i)
    numbers += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : i64\n";
  return "!t = !heed.tensor<[3, 3, m, 4], f32>\n!u = !heed.tensor<[3, 3, n, 4], f32>\n"
         "!e = !heed.tensor<[3], i64>\n"
         "heed.kernel @k(%queries: !t {heed.name = \"queries\", heed.role = \"input\"}, %keys: !u {heed.name "
         "= \"keys\", heed.role = \"input\"}, %left: !e {heed.name = \"left\", heed.role = \"input\"}, "
         "%right: !e {heed.name = \"right\", heed.role = \"input\"}) -> (!t {heed.name = \"z\"}) {\n"
         "%0 = heed.attention %queries, %keys, %keys captures(%left, %right) scale 1.0 : (!t, !u, !u, !e, "
         "!e) -> !t "
         "{\n^bb0(%score: f32, %b: i64, %h: i64, %q: i64, %k: i64, %es: !e, %fs: !e):\n"
         "%e = heed.element %es[%b] : !e -> i64\n%f = heed.element %fs[%h] : !e -> i64\n" +
         numbers + "%m = heed.extent_value <m>\n%n = heed.extent_value <n>\n" + body +
         "\nheed.yield %score, %v : f32, i1\n}\nheed.return %0 : !t\n}\n";
}

/// Counts the keys that visible spares and full promises, to show that the ranges say something.
struct Use {
  int64_t spared = 0, promised = 0;
  bool exact = false;
};

/// The ranges of one attention; refers to a module that this keeps.
struct Derived {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  MaskRanges ranges;

  explicit Derived(const std::string &body) {
    context.loadDialect<ir::HeedDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(attention(body), &context);
    REQUIRE(module);
    module->walk([&](ir::AttentionOp op) { ranges = deriveMaskRanges(op); });
  }
};

/// Compares the ranges of a block with the mask; false where they are wrong.
bool holds(const MaskRanges &ranges, const Block &block, const Mask &mask, Use &use) {
  int64_t lower = evaluate(ranges.visible.lower, block), upper = evaluate(ranges.visible.upper, block);
  int64_t fullLower = evaluate(ranges.full.lower, block), fullUpper = evaluate(ranges.full.upper, block);
  bool right = lower >= 0 && upper <= block.n && fullLower >= 0 && fullUpper <= block.n;
  for (int64_t k = 0; k < block.n; ++k) {
    bool inside = lower <= k && k < upper, promised = fullLower <= k && k < fullUpper;
    use.spared += !inside;
    use.promised += promised;
    for (int64_t h = 0; h < 3; ++h)
      for (int64_t q = block.q0; q <= block.q1; ++q) {
        bool visible = mask(h, q, k, block.m, block.n);
        right &= !(visible && !inside) && !(!visible && promised);
        // What is exact holds no other key, for one query and without gaps.
        right &= !ranges.exact || block.q0 != block.q1 || visible == inside;
      }
  }
  return right;
}

Use check(const std::string &body, const Mask &mask) {
  Derived derived(body);
  const MaskRanges &ranges = derived.ranges;
  INFO(body << "\nvisible " << ranges.visible.str() << ", full " << ranges.full.str());
  Use use{.exact = ranges.exact};
  int64_t wrong = 0;
  for (int64_t m : {1, 5, 13})
    for (int64_t n : {1, 6, 17})
      for (int64_t q0 = 0; q0 < m; ++q0)
        for (int64_t q1 = q0; q1 < m; ++q1)
          wrong += !holds(ranges, {q0, q1, m, n}, mask, use);
  CHECK(wrong == 0);
  return use;
}

void checkUseful(const std::string &body, const Mask &mask) {
  Use use = check(body, mask);
  CHECK(use.spared > 0);
  CHECK(use.promised > 0);
  CHECK(use.exact);
}

int64_t floorDivide(int64_t x, int64_t y) { return int64_t(std::floor(double(x) / double(y))); }

} // namespace

TEST_CASE("ranges of common masks hold every visible key and promise no hidden one") {
  checkUseful("%v = arith.cmpi sle, %k, %q : i64", [](auto, auto q, auto k, auto, auto) { return k <= q; });
  checkUseful("%d = arith.subi %n, %m : i64\n%x = arith.addi %q, %d : i64\n%v = arith.cmpi sge, %x, %k : i64",
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
  Use byHead = check("%x = arith.addi %q, %h : i64\n%v = arith.cmpi sle, %k, %x : i64",
                     [](auto h, auto q, auto k, auto, auto) { return k <= q + h; });
  CHECK(byHead.spared > 0);
  CHECK_FALSE(byHead.exact);
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
  check("%d = arith.muli %q, %k : i64\n%v = arith.cmpi sle, %d, %c5 : i64",
        [](auto, auto q, auto k, auto, auto) { return q * k <= 5; });
}

TEST_CASE("bounds from elements are right for elements of any value") {
  struct Case {
    const char *body;
    std::function<bool(__int128 q, __int128 k, __int128 e, __int128 f)> mask;
    bool exact;
  };
  const Case cases[] = {
      {"%v = arith.cmpi slt, %k, %e : i64", [](auto, auto k, auto e, auto) { return k < e; }, true},
      {"%x = arith.addi %q, %e : i64\n%v = arith.cmpi sle, %k, %x : i64",
       [](auto q, auto k, auto e, auto) { return k <= q + e; }, true},
      {"%d = arith.subi %q, %k : i64\n%a = arith.cmpi slt, %d, %f : i64\n%b1 = arith.cmpi sge, %k, %e : "
       "i64\n%v = arith.andi %a, %b1 : i1",
       [](auto q, auto k, auto e, auto f) { return q - k < f && k >= e; }, true},
      {"%x = arith.minsi %e, %f : i64\n%v = arith.cmpi slt, %k, %x : i64",
       [](auto, auto k, auto e, auto f) { return k < std::min(e, f); }, true},
      {"%x = arith.muli %k, %c2 : i64\n%v = arith.cmpi slt, %x, %e : i64",
       [](auto, auto k, auto e, auto) { return 2 * k < e; }, true},
      {"%a = arith.cmpi sge, %k, %e : i64\n%b1 = arith.cmpi slt, %k, %f : i64\n%v = arith.ori %a, %b1 : i1",
       [](auto, auto k, auto e, auto f) { return k >= e || k < f; }, false},
      {"%x = arith.addi %e, %f : i64\n%v = arith.cmpi slt, %k, %x : i64",
       [](auto, auto k, auto e, auto f) { return k < e + f; }, false},
      {"%x = arith.muli %e, %c2 : i64\n%v = arith.cmpi slt, %k, %x : i64",
       [](auto, auto k, auto e, auto) { return k < 2 * e; }, false},
      {"%v = arith.cmpi slt, %q, %e : i64", [](auto q, auto, auto e, auto) { return q < e; }, true},
      {"%a = arith.cmpi slt, %q, %e : i64\n%b1 = arith.cmpi sge, %q, %f : i64\n"
       "%d = arith.cmpi sle, %k, %q : i64\n%ab = arith.andi %a, %b1 : i1\n%v = arith.andi %ab, %d : i1",
       [](auto q, auto k, auto e, auto f) { return q < e && q >= f && k <= q; }, true},
      {"%a = arith.cmpi slt, %q, %e : i64\n%b1 = arith.cmpi slt, %k, %f : i64\n"
       "%d = arith.cmpi sle, %k, %q : i64\n%v = arith.select %a, %b1, %d : i1",
       [](auto q, auto k, auto e, auto f) { return q < e ? k < f : k <= q; }, true},
      {"%v = arith.cmpi slt, %e, %f : i64", [](auto, auto, auto e, auto f) { return e < f; }, false},
  };
  constexpr int64_t highest = std::numeric_limits<int64_t>::max(), far = int64_t(1) << 40;
  const int64_t elements[] = {
      -highest - 1, -far,   -(int64_t(1) << 31), -3, 0, 1, 4, 6, int64_t(1) << 30, (int64_t(1) << 31) + 2,
      far,          highest};
  for (const Case &each : cases) {
    Derived derived(each.body);
    INFO(each.body << "\nvisible " << derived.ranges.visible.str());
    CHECK(derived.ranges.exact == each.exact);
    Use use;
    int64_t wrong = 0;
    for (int64_t e : elements)
      for (int64_t f : elements)
        for (int64_t q0 : {0, 2, 7})
          for (int64_t q1 : {q0, q0 + 3}) {
            Mask mask = [&](auto, auto q, auto k, auto, auto) { return each.mask(q, k, e, f); };
            wrong += !holds(derived.ranges, {q0, q1, 11, 9, e, f}, mask, use);
          }
    CHECK(wrong == 0);
  }
}

TEST_CASE("numbers beyond 32 bits make no bounds") {
  for (const char *number : {"2147483648", "5000000000", "9223372036854775807", "-9223372036854775808"}) {
    std::string body = "%big = arith.constant " + std::string(number) +
                       " : i64\n%x = arith.addi %q, %big : i64\n%v = arith.cmpi sle, %k, %x : i64";
    Derived derived(body);
    CHECK(derived.ranges.visible.str() == "[0, n)");
    CHECK_FALSE(derived.ranges.exact);
  }
}

TEST_CASE("a gap between ranges, and a bound that another query has, are not exact") {
  auto isExact = [](const char *body) { return Derived(body).ranges.exact; };
  CHECK(isExact("%a = arith.cmpi sle, %k, %q : i64\n%b1 = arith.cmpi slt, %k, %c3 : i64\n"
                "%v = arith.ori %a, %b1 : i1"));
  CHECK_FALSE(isExact("%a = arith.cmpi slt, %k, %c3 : i64\n%b1 = arith.cmpi sge, %k, %q : i64\n"
                      "%v = arith.ori %a, %b1 : i1"));
  CHECK_FALSE(
      isExact("%a = arith.subi %q, %c5 : i64\n%d = math.absi %a : i64\n%v = arith.cmpi sle, %k, %d : i64"));
  CHECK_FALSE(isExact("%x = arith.floordivsi %q, %c4 : i64\n%y = arith.muli %x, %c4 : i64\n"
                      "%r = arith.subi %q, %y : i64\n%v = arith.cmpi sle, %k, %r : i64"));
  CHECK(isExact("%a = arith.cmpi slt, %k, %c3 : i64\n%b1 = arith.cmpi sle, %k, %q : i64\n"
                "%t = arith.constant true\n%v = arith.select %a, %t, %b1 : i1"));
  CHECK(isExact("%v = arith.cmpi ne, %k, %q : i64"));
  CHECK_FALSE(isExact("%d = arith.muli %q, %k : i64\n%v = arith.cmpi sle, %d, %c5 : i64"));
}
