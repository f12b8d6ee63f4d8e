//===- ScoreProgram.cpp - An attention's region for its kernel ------------===//

#include "ScoreProgram.h"

#include "Emitter.h"
#include "Region.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using Halide::Expr;

namespace heed {
namespace {

bool showsEveryKey(Block &region) { return matchPattern(region.getTerminator()->getOperand(1), m_One()); }

bool keepsScore(Block &region) {
  return region.getTerminator()->getOperand(0) == region.getArgument(ir::AttentionOp::scoreAt);
}

using Extents = SmallVectorImpl<ir::ExtentAttr>;

void addExtent(ir::ExtentAttr extent, Extents &extents) {
  if (!extent.isStatic() && !llvm::is_contained(extents, extent))
    extents.push_back(extent);
}

void addExtents(const KeyExpr &expr, Extents &extents) {
  if (expr.kind == KeyExpr::Kind::Extent)
    addExtent(expr.extent, extents);
  for (const KeyExpr &operand : expr.operands)
    addExtents(operand, extents);
}

/// Scalars of a tile function under the names that regions and ranges have for them.
class Known {
public:
  Known(const Extents &extents, const std::vector<Expr> &values) : extents(extents), values(values) {}

  Expr extent(ir::ExtentAttr extent) const {
    return extent.isStatic() ? Expr(int32_t(extent.getValue()))
                             : values[llvm::find(extents, extent) - extents.begin()];
  }

  Expr bound(const KeyExpr &expr, const Expr &firstQuery, const Expr &lastQuery) const {
    auto operand = [&](unsigned i) { return bound(expr.operands[i], firstQuery, lastQuery); };
    switch (expr.kind) {
    case KeyExpr::Kind::FirstQuery:
      return firstQuery;
    case KeyExpr::Kind::LastQuery:
      return lastQuery;
    case KeyExpr::Kind::Extent:
      return extent(expr.extent);
    case KeyExpr::Kind::FloorDivide:
      return operand(0) / int32_t(expr.number);
    case KeyExpr::Kind::Minimum:
      return Halide::min(operand(0), operand(1));
    case KeyExpr::Kind::Maximum:
      return Halide::max(operand(0), operand(1));
    case KeyExpr::Kind::Sum:
      break;
    }
    Expr sum = int32_t(expr.number);
    for (unsigned i = 0; i < expr.operands.size(); ++i)
      sum += int32_t(expr.coefficients[i]) * operand(i);
    return Halide::Internal::simplify(sum);
  }

private:
  const Extents &extents;
  const std::vector<Expr> &values;
};

} // namespace

ScoreProgram::ScoreProgram(ir::AttentionOp op, const Captures &captures)
    : region(op.getBody().front()), captures(captures), ranges(deriveMaskRanges(op)) {
  for (const Capture &capture : captures.list())
    operands.push_back({.type = halideType(ir::tensorType(capture.tensor).getElementType()),
                        .alongKeys = capture.axes[3].has_value(),
                        .alongRows = capture.axes[2].has_value()});
  for (auto value : region.getOps<ir::ExtentValueOp>())
    addExtent(value.getExtent(), extents);
  for (const KeyExpr *bound :
       {&ranges.visible.lower, &ranges.visible.upper, &ranges.full.lower, &ranges.full.upper})
    addExtents(*bound, extents);
}

kernels::ScoreAndVisible ScoreProgram::apply(const Expr &score, ArrayRef<Expr> positions,
                                             const std::vector<Expr> &elements,
                                             const std::vector<Expr> &extentValues) const {
  RegionInputs inputs;
  inputs.elements[region.getArgument(ir::AttentionOp::scoreAt)] = score;
  for (auto [number, position] : llvm::enumerate(positions))
    inputs.positions[region.getArgument(ir::AttentionOp::batchAt + number)] = position;
  inputs.element = [&](ir::ElementOp element) { return elements[captures.number(element)]; };
  inputs.extent = [&](ir::ExtentAttr extent) { return Known(extents, extentValues).extent(extent); };
  std::vector<Expr> results = evaluateRegion(region, inputs);
  return {results[0], showsEveryKey(region) ? Expr() : results[1]};
}

kernels::ScoreProgram ScoreProgram::functions() const {
  kernels::ScoreProgram program;
  program.captures = operands;
  program.extents = extents.size();
  if (keepsScore(region) && showsEveryKey(region))
    return program;
  program.apply = [this](Expr score, Expr batch, Expr head, Expr query, Expr key, auto &elements,
                         auto &values) { return apply(score, {batch, head, query, key}, elements, values); };
  auto range = [this](const KeyRange &keys) {
    return [this, &keys](Expr first, Expr last, Expr, const std::vector<Expr> &values) {
      Known known(extents, values);
      return kernels::KeyRange{known.bound(keys.lower, first, last), known.bound(keys.upper, first, last)};
    };
  };
  program.visibleKeys = range(ranges.visible);
  program.fullKeys = range(ranges.full);
  return program;
}

std::string ScoreProgram::text() const {
  std::string text = canonicalText(region, captures) + ranges.visible.str() + ranges.full.str();
  for (ir::ExtentAttr extent : extents)
    text += "|" + extent.str();
  for (const kernels::Capture &operand : operands)
    text += keyOf(operand.type, operand.alongKeys, operand.alongRows);
  return text;
}

} // namespace heed
