//===- KeyExpr.cpp - Bounds on keys ---------------------------------------===//

#include "Transforms/KeyExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace heed;

namespace {

using Kind = KeyExpr::Kind;

KeyExpr leaf(Kind kind) {
  KeyExpr expr;
  expr.kind = kind;
  return expr;
}

/// Every expression as a sum.
KeyExpr asSum(KeyExpr expr) {
  if (expr.kind == Kind::Sum)
    return expr;
  KeyExpr sum;
  sum.coefficients = {1};
  sum.operands = {std::move(expr)};
  return sum;
}

/// A sum of one term is the term.
KeyExpr simplified(KeyExpr sum) {
  if (sum.number == 0 && sum.operands.size() == 1 && sum.coefficients[0] == 1)
    return KeyExpr(sum.operands[0]);
  return sum;
}

/// The smaller of two expressions that differ by a number, if they do.
std::optional<int64_t> difference(const KeyExpr &left, const KeyExpr &right) {
  return (left - right).asConstant();
}

KeyExpr extreme(Kind kind, KeyExpr left, KeyExpr right) {
  if (std::optional<int64_t> known = difference(left, right))
    return (*known <= 0) == (kind == Kind::Minimum) ? left : right;
  KeyExpr expr = leaf(kind);
  expr.operands = {std::move(left), std::move(right)};
  return expr;
}

void print(llvm::raw_ostream &os, const KeyExpr &expr);

/// x of allIfPositive(x), or null.
const KeyExpr *conditionOf(int64_t coefficient, const KeyExpr &factor) {
  if (coefficient != KeyExpr::positionLimit || factor.kind != Kind::Minimum ||
      factor.operands[0].asConstant() != 1 || factor.operands[1].kind != Kind::Maximum)
    return nullptr;
  const KeyExpr &positive = factor.operands[1];
  return positive.operands[0].asConstant() == 0 ? &positive.operands[1] : nullptr;
}

void printSum(llvm::raw_ostream &os, const KeyExpr &sum) {
  if (const KeyExpr *condition = sum.operands.size() == 1 && sum.number == 0
                                     ? conditionOf(sum.coefficients[0], sum.operands[0])
                                     : nullptr) {
    os << "(all if ";
    print(os, *condition);
    os << " > 0)";
    return;
  }
  bool first = true;
  for (auto [coefficient, operand] : llvm::zip_equal(sum.coefficients, sum.operands)) {
    os << (first ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + "));
    if (std::abs(coefficient) != 1)
      os << std::abs(coefficient) << "*";
    print(os, operand);
    first = false;
  }
  if (first)
    os << sum.number;
  else if (sum.number != 0)
    os << (sum.number < 0 ? " - " : " + ") << std::abs(sum.number);
}

/// `capture0[b]`; an index that is no position is a dot.
void printElement(llvm::raw_ostream &os, ir::ElementOp element) {
  auto number = [](mlir::Value value) -> std::optional<unsigned> {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    return argument ? std::optional(argument.getArgNumber()) : std::nullopt;
  };
  os << "capture" << *number(element.getTensor()) - ir::AttentionOp::capturesAt << "[";
  llvm::interleaveComma(element.getIndices(), os, [&](mlir::Value index) {
    std::optional<unsigned> argument = number(index);
    os << (argument == ir::AttentionOp::batchAt ? "b" : argument == ir::AttentionOp::headAt ? "h" : ".");
  });
  os << "]";
}

void print(llvm::raw_ostream &os, const KeyExpr &expr) {
  auto call = [&](llvm::StringRef name) {
    os << name << "(";
    llvm::interleaveComma(expr.operands, os, [&](const KeyExpr &operand) { print(os, operand); });
    os << ")";
  };
  switch (expr.kind) {
  case Kind::FirstQuery:
    os << "q0";
    return;
  case Kind::LastQuery:
    os << "q1";
    return;
  case Kind::Extent:
    os << expr.extent.str();
    return;
  case Kind::Element:
    return printElement(os, expr.element.getDefiningOp<ir::ElementOp>());
  case Kind::Sum:
    return printSum(os, expr);
  case Kind::FloorDivide:
    os << "floor((";
    print(os, expr.operands[0]);
    os << ") / " << expr.number << ")";
    return;
  case Kind::Minimum:
    return call("min");
  case Kind::Maximum:
    return call("max");
  }
}

} // namespace

KeyExpr KeyExpr::constant(int64_t number) {
  KeyExpr expr;
  expr.number = number;
  return expr;
}

KeyExpr KeyExpr::firstQuery() { return leaf(Kind::FirstQuery); }

KeyExpr KeyExpr::lastQuery() { return leaf(Kind::LastQuery); }

KeyExpr KeyExpr::of(ir::ExtentAttr extent) {
  if (extent.isStatic())
    return constant(extent.getValue());
  KeyExpr expr = leaf(Kind::Extent);
  expr.extent = extent;
  return expr;
}

KeyExpr KeyExpr::of(mlir::Value element) {
  KeyExpr expr = leaf(Kind::Element);
  expr.element = element;
  return expr;
}

KeyExpr KeyExpr::floorDivide(KeyExpr dividend, int64_t divisor) {
  assert(divisor > 0 && "divisors of bounds are positive");
  if (divisor == 1)
    return dividend;
  if (std::optional<int64_t> known = dividend.asConstant())
    return constant(llvm::divideFloorSigned(*known, divisor));
  KeyExpr expr = leaf(Kind::FloorDivide);
  expr.number = divisor;
  expr.operands = {std::move(dividend)};
  return expr;
}

KeyExpr KeyExpr::minimum(KeyExpr left, KeyExpr right) {
  return extreme(Kind::Minimum, std::move(left), std::move(right));
}

KeyExpr KeyExpr::maximum(KeyExpr left, KeyExpr right) {
  return extreme(Kind::Maximum, std::move(left), std::move(right));
}

KeyExpr KeyExpr::allIfPositive(KeyExpr number) {
  return positionLimit * minimum(constant(1), maximum(constant(0), std::move(number)));
}

std::optional<int64_t> KeyExpr::asConstant() const {
  if (kind == Kind::Sum && operands.empty())
    return number;
  return std::nullopt;
}

std::string KeyExpr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, *this);
  return text;
}

KeyExpr heed::operator+(KeyExpr left, const KeyExpr &right) {
  KeyExpr sum = asSum(std::move(left)), other = asSum(right);
  sum.number += other.number;
  for (auto [coefficient, operand] : llvm::zip_equal(other.coefficients, other.operands)) {
    auto known = llvm::find(sum.operands, operand);
    size_t i = known - sum.operands.begin();
    if (known == sum.operands.end()) {
      sum.operands.push_back(operand);
      sum.coefficients.push_back(coefficient);
    } else if ((sum.coefficients[i] += coefficient) == 0) {
      sum.operands.erase(known);
      sum.coefficients.erase(sum.coefficients.begin() + i);
    }
  }
  return simplified(std::move(sum));
}

KeyExpr heed::operator*(int64_t factor, KeyExpr expr) {
  if (factor == 0)
    return KeyExpr::constant(0);
  KeyExpr sum = asSum(std::move(expr));
  sum.number *= factor;
  for (int64_t &coefficient : sum.coefficients)
    coefficient *= factor;
  return simplified(std::move(sum));
}
