//===- Region.cpp - Regions of scalars as Halide expressions --------------===//

#include "Region.h"

#include "Comparisons.h"
#include "Functions.h"
#include "Kernels/Random.h"
#include "Kernels/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using Halide::Expr;

namespace heed {
namespace {

constexpr int64_t positionLimit = int64_t(1) << 28;
constexpr int64_t int64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t int64Max = std::numeric_limits<int64_t>::max();

/// An expression; of an integer also the range its value lies in.
struct Scalar {
  Expr expr;
  int64_t low = 0, high = 0;
};

bool fits32(__int128 low, __int128 high) {
  return low >= std::numeric_limits<int32_t>::min() && high <= std::numeric_limits<int32_t>::max();
}

Scalar integer(Expr expr, __int128 low, __int128 high) {
  auto clamp = [](__int128 x) { return int64_t(std::clamp<__int128>(x, int64Min, int64Max)); };
  return {std::move(expr), clamp(low), clamp(high)};
}

Expr in64(const Expr &e) { return Halide::cast<int64_t>(e); }

/// Both in 64 bits when one is, or when the result needs it.
void widen(Expr &a, Expr &b, bool wide) {
  if (wide || a.type().bits() == 64 || b.type().bits() == 64) {
    a = in64(a);
    b = in64(b);
  }
}

using ExprFunction = Expr (*)(const Expr &, const Expr &);

template <ExprFunction f> Scalar arithmetic(Scalar a, Scalar b, __int128 low, __int128 high) {
  widen(a.expr, b.expr, !fits32(low, high));
  return integer(f(a.expr, b.expr), low, high);
}

Expr plus(const Expr &a, const Expr &b) { return a + b; }
Expr minus(const Expr &a, const Expr &b) { return a - b; }
Expr times(const Expr &a, const Expr &b) { return a * b; }
Expr least(const Expr &a, const Expr &b) { return Halide::min(a, b); }
Expr greatest(const Expr &a, const Expr &b) { return Halide::max(a, b); }
// Halide's quotient leaves a remainder that is not negative: the floor for divisors above zero. By zero it
// gives 0.
Expr floorDivide(const Expr &a, const Expr &b) { return Halide::select(b < 0, (-a) / (-b), a / b); }
Expr truncatingDivide(const Expr &a, const Expr &b) {
  Expr magnitude = Halide::abs(a) / Halide::cast(Halide::abs(a).type(), Halide::abs(b));
  Expr quotient = Halide::cast(a.type(), magnitude);
  return Halide::select((a < 0) != (b < 0), -quotient, quotient);
}
Expr truncatingRemainder(const Expr &a, const Expr &b) {
  return Halide::select(b == 0, Halide::cast(a.type(), 0), a - truncatingDivide(a, b) * b);
}

class Evaluator {
public:
  explicit Evaluator(const RegionInputs &inputs) : inputs(inputs) {
    for (auto &[value, expr] : inputs.positions)
      scalars[value] = integer(expr, 0, positionLimit);
    for (auto &[value, expr] : inputs.elements)
      scalars[value] = loaded(expr);
  }

  /// False when the operation has no expression.
  bool evaluate(Operation &op) {
    std::optional<Scalar> result = floating(op);
    if (!result)
      result = integral(op);
    if (!result)
      return false;
    scalars[op.getResult(0)] = *result;
    return true;
  }

  Expr value(Value v) { return scalars.lookup(v).expr; }

private:
  Scalar scalar(Operation &op, unsigned operand) { return scalars.lookup(op.getOperand(operand)); }
  Expr expr(Operation &op, unsigned operand) { return scalar(op, operand).expr; }

  /// As a region sees an element: narrow numbers are widened, bytes become truth.
  static Scalar loaded(const Expr &e) {
    if (e.type().is_uint())
      return {e != 0};
    if (e.type().is_int())
      return integer(e, e.type().bits() == 32 ? std::numeric_limits<int32_t>::min() : int64Min,
                     e.type().bits() == 32 ? std::numeric_limits<int32_t>::max() : int64Max);
    return {e.type().bits() < 32 ? Halide::cast<float>(e) : e};
  }

  static Scalar constant(arith::ConstantOp op) {
    if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      return {Halide::Internal::make_const(Halide::Float(op.getType().getIntOrFloatBitWidth()),
                                           number.getValueAsDouble())};
    if (op.getType().isInteger(1))
      return {Halide::Internal::make_bool(cast<BoolAttr>(op.getValue()).getValue())};
    int64_t number = cast<IntegerAttr>(op.getValue()).getInt();
    return integer(fits32(number, number) ? Expr(int32_t(number)) : Expr(number), number, number);
  }

  std::optional<Scalar> floating(Operation &op) {
    auto one = [&] { return expr(op, 0); };
    auto two = [&] { return expr(op, 1); };
    return llvm::TypeSwitch<Operation &, std::optional<Scalar>>(op)
        .Case<arith::AddFOp>([&](auto) { return Scalar{one() + two()}; })
        .Case<arith::SubFOp>([&](auto) { return Scalar{one() - two()}; })
        .Case<arith::MulFOp>([&](auto) { return Scalar{one() * two()}; })
        .Case<arith::DivFOp>([&](auto) { return Scalar{one() / two()}; })
        .Case<arith::NegFOp>([&](auto) { return Scalar{-one()}; })
        .Case<arith::MaximumFOp, arith::MaxNumFOp>([&](auto) { return Scalar{maximum(one(), two())}; })
        .Case<arith::MinimumFOp, arith::MinNumFOp>([&](auto) { return Scalar{minimum(one(), two())}; })
        .Case<arith::CmpFOp>([&](auto cmp) { return Scalar{compare(cmp, one(), two())}; })
        .Case<arith::SIToFPOp>(
            [&](auto cast) { return Scalar{Halide::cast(halideType(cast.getType()), one())}; })
        .Case<arith::UIToFPOp>(
            [&](auto cast) { return Scalar{Halide::cast(halideType(cast.getType()), one())}; })
        .Case<arith::ExtFOp, arith::TruncFOp>(
            [&](auto cast) { return Scalar{Halide::cast(halideType(cast.getType()), one())}; })
        .Case<math::AbsFOp>([&](auto) { return Scalar{Halide::abs(one())}; })
        .Case<math::SqrtOp>([&](auto) { return Scalar{Halide::sqrt(one())}; })
        .Case<math::ExpOp>([&](auto) { return Scalar{exponential(one())}; })
        .Case<math::LogOp>([&](auto) { return Scalar{naturalLogarithm(one())}; })
        .Case<math::SinOp>([&](auto) { return Scalar{sine(one())}; })
        .Case<math::CosOp>([&](auto) { return Scalar{cosine(one())}; })
        .Case<math::TanhOp>([&](auto) { return Scalar{Halide::tanh(one())}; })
        .Case<math::ErfOp>([&](auto) { return Scalar{kernels::errorFunction(one())}; })
        .Case<math::FloorOp>([&](auto) { return Scalar{Halide::floor(one())}; })
        .Default([](Operation &) { return std::nullopt; });
  }

  std::optional<Scalar> integral(Operation &op) {
    auto one = [&] { return scalar(op, 0); };
    auto two = [&] { return scalar(op, 1); };
    return llvm::TypeSwitch<Operation &, std::optional<Scalar>>(op)
        .Case<arith::ConstantOp>([&](auto constant) { return this->constant(constant); })
        .Case<ir::ElementOp>([&](auto element) { return this->element(element); })
        .Case<ir::UniformOp>([&](auto random) { return uniform(random); })
        .Case<ir::PositionOp>(
            [&](auto position) { return integer(inputs.position(position.getAxis()), 0, positionLimit); })
        .Case<ir::ExtentValueOp>(
            [&](auto value) { return integer(inputs.extent(value.getExtent()), 0, positionLimit); })
        .Case<arith::AddIOp>([&](auto) { return sum(one(), two()); })
        .Case<arith::SubIOp>([&](auto) { return difference(one(), two()); })
        .Case<arith::MulIOp>([&](auto) { return product(one(), two()); })
        .Case<arith::FloorDivSIOp>([&](auto) { return quotient<floorDivide>(one(), two()); })
        .Case<arith::DivSIOp>([&](auto) { return quotient<truncatingDivide>(one(), two()); })
        .Case<arith::RemSIOp>([&](auto) { return remainder(one(), two()); })
        .Case<arith::MinSIOp>([&](auto) {
          return arithmetic<least>(one(), two(), std::min(one().low, two().low),
                                   std::min(one().high, two().high));
        })
        .Case<arith::MaxSIOp>([&](auto) {
          return arithmetic<greatest>(one(), two(), std::max(one().low, two().low),
                                      std::max(one().high, two().high));
        })
        .Case<math::AbsIOp>([&](auto) { return absolute(one()); })
        .Case<arith::CmpIOp>([&](auto cmp) { return comparison(cmp.getPredicate(), one(), two()); })
        .Case<arith::AndIOp>([&](auto) { return logic(op, one().expr && two().expr); })
        .Case<arith::OrIOp>([&](auto) { return logic(op, one().expr || two().expr); })
        .Case<arith::XOrIOp>([&](auto) { return logic(op, one().expr != two().expr); })
        .Case<arith::SelectOp>([&](auto) { return choice(one().expr, two(), scalar(op, 2)); })
        .Case<arith::ExtUIOp>([&](auto) { return integer(Halide::cast<int32_t>(one().expr), 0, 1); })
        .Case<arith::FPToSIOp>(
            [&](auto) { return integer(Halide::cast<int64_t>(one().expr), int64Min, int64Max); })
        .Default([](Operation &) { return std::nullopt; });
  }

  Scalar element(ir::ElementOp op) {
    Halide::Type type = elementTypeOf(op.getTensor());
    if (inputs.zeroProbability && op.getTensor() == inputs.zeroProbability)
      return loaded(Halide::Internal::make_zero(type));
    return loaded(inputs.element(
        op, llvm::map_to_vector(op.getIndices(), [&](Value index) { return scalars.lookup(index).expr; })));
  }

  /// Any number will do where none is below the probability.
  Scalar uniform(ir::UniformOp op) {
    if (inputs.zeroProbability)
      return {Expr(0.0f)};
    return {kernels::uniform(in64(expr(*op, 0)), in64(expr(*op, 1)), op.getSite())};
  }

  static Scalar sum(const Scalar &a, const Scalar &b) {
    return arithmetic<plus>(a, b, __int128(a.low) + b.low, __int128(a.high) + b.high);
  }
  static Scalar difference(const Scalar &a, const Scalar &b) {
    return arithmetic<minus>(a, b, __int128(a.low) - b.high, __int128(a.high) - b.low);
  }
  static Scalar product(const Scalar &a, const Scalar &b) {
    __int128 corners[] = {__int128(a.low) * b.low, __int128(a.low) * b.high, __int128(a.high) * b.low,
                          __int128(a.high) * b.high};
    return arithmetic<times>(a, b, *std::ranges::min_element(corners), *std::ranges::max_element(corners));
  }
  template <ExprFunction f> static Scalar quotient(const Scalar &a, const Scalar &b) {
    __int128 size = std::max<__int128>(a.high, -__int128(a.low));
    return arithmetic<f>(a, b, -size, size);
  }
  static Scalar remainder(const Scalar &a, const Scalar &b) {
    __int128 size = std::max<__int128>(b.high, -__int128(b.low));
    return arithmetic<truncatingRemainder>(a, b, -size, size);
  }
  static Scalar absolute(const Scalar &a) {
    Expr wide = fits32(-__int128(a.high), -__int128(a.low)) ? a.expr : in64(a.expr);
    return integer(Halide::cast(wide.type(), Halide::abs(wide)), 0,
                   std::max<__int128>(a.high, -__int128(a.low)));
  }
  static Scalar comparison(arith::CmpIPredicate predicate, Scalar a, Scalar b) {
    if (a.expr.type().is_int())
      widen(a.expr, b.expr, false);
    return {compare(predicate, a.expr, b.expr)};
  }
  static std::optional<Scalar> logic(Operation &op, const Expr &result) {
    return op.getResult(0).getType().isInteger(1) ? std::optional(Scalar{result}) : std::nullopt;
  }
  static Scalar choice(const Expr &condition, Scalar a, Scalar b) {
    if (a.expr.type().is_int())
      widen(a.expr, b.expr, false);
    return {Halide::select(condition, a.expr, b.expr), std::min(a.low, b.low), std::max(a.high, b.high)};
  }

  const RegionInputs &inputs;
  llvm::DenseMap<Value, Scalar> scalars;
};

} // namespace

// Expressions are cheap: evaluating with stand-ins is the check.
static LogicalResult checkRegion(Block &region) {
  RegionInputs inputs;
  for (BlockArgument argument : region.getArguments())
    if (!isa<ir::TensorType>(argument.getType()))
      inputs.elements[argument] = Halide::Internal::make_zero(halideType(argument.getType()));
  inputs.position = [](int64_t) { return Expr(0); };
  inputs.element = [](ir::ElementOp op, ArrayRef<Expr>) {
    return Halide::Internal::make_zero(elementTypeOf(op.getTensor()));
  };
  inputs.extent = [](ir::ExtentAttr) { return Expr(1); };
  Evaluator evaluator(inputs);
  for (Operation &op : region.without_terminator())
    if (!evaluator.evaluate(op))
      return op.emitError() << "found '" << op.getName()
                            << "' in a region, arithmetic that the CPU back end knows is needed";
  return success();
}

LogicalResult checkRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(checkRegion(block)))
        return failure();
  return success();
}

std::vector<Expr> evaluateRegion(Block &region, const RegionInputs &inputs) {
  Evaluator evaluator(inputs);
  for (Operation &op : region.without_terminator())
    evaluator.evaluate(op);
  std::vector<Expr> results;
  for (Value value : region.getTerminator()->getOperands())
    results.push_back(evaluator.value(value));
  return results;
}

/// `capture 2`, of a table with the indices that choose in it.
static void printElement(raw_ostream &os, const Captures &captures, ir::ElementOp element,
                         llvm::function_ref<unsigned(Value)> number) {
  os << "capture " << captures.number(element);
  for (int64_t axis : captures.list()[captures.number(element)].table)
    os << ' ' << number(element.getIndices()[axis]);
}

/// The rank-0 capture that random numbers are compared with.
static Value dropoutProbability(Block &region) {
  Value found;
  for (auto random : region.getOps<ir::UniformOp>())
    for (Operation *user : random->getUsers()) {
      auto comparison = dyn_cast<arith::CmpFOp>(user);
      auto element = comparison ? comparison.getRhs().getDefiningOp<ir::ElementOp>() : ir::ElementOp();
      if (!element || !element.getIndices().empty() || (found && found != element.getTensor()))
        return {};
      found = element.getTensor();
    }
  return found;
}

std::optional<CallersProbability> callersProbability(Region &region, ValueRange captures) {
  Value inRegion = region.empty() ? Value() : dropoutProbability(region.front());
  if (!inRegion)
    return std::nullopt;
  unsigned first = region.getNumArguments() - captures.size();
  auto argument = dyn_cast<BlockArgument>(captures[cast<BlockArgument>(inRegion).getArgNumber() - first]);
  return argument ? std::optional(CallersProbability{argument.getArgNumber(), inRegion}) : std::nullopt;
}

std::string canonicalText(Block &region, const Captures &captures) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::DenseMap<Value, unsigned> numbers;
  auto number = [&](Value value) { numbers.try_emplace(value, numbers.size()); };
  llvm::for_each(region.getArguments(), number);
  for (Operation &op : region) {
    os << op.getName() << '(';
    if (auto element = dyn_cast<ir::ElementOp>(op))
      printElement(os, captures, element, [&](Value index) { return numbers.lookup(index); });
    else
      llvm::interleaveComma(op.getOperands(), os, [&](Value value) { os << numbers.lookup(value); });
    os << ") " << op.getAttrDictionary() << " : " << op.getResultTypes() << '\n';
    llvm::for_each(op.getResults(), number);
  }
  return text;
}

Halide::Type halideType(Type element) {
  if (element.isInteger(1))
    return Halide::UInt(8);
  if (element.isBF16())
    return Halide::BFloat(16);
  if (auto floating = dyn_cast<FloatType>(element))
    return Halide::Float(floating.getWidth());
  return Halide::Int(element.getIntOrFloatBitWidth());
}

Halide::Type elementTypeOf(Value tensor) { return halideType(ir::tensorType(tensor).getElementType()); }

} // namespace heed
