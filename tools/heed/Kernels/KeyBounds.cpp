#include "Kernels/KeyBounds.h"

#include "Reference/Number.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

namespace heed::tools {

using Kind = KeyExpr::Kind;

std::optional<std::int64_t> KeyBounds::evaluate(const KeyExpr &expr, const QueryBlock &block) const {
  std::vector<std::int64_t> operands;
  for (const KeyExpr &operand : expr.operands) {
    std::optional<std::int64_t> value = evaluate(operand, block);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  switch (expr.kind) {
  case Kind::FirstQuery:
    return block.firstQuery;
  case Kind::LastQuery:
    return block.lastQuery;
  case Kind::Extent:
    return extentOf(expr.extent);
  case Kind::Element:
    return elementOf(expr.element, block);
  case Kind::Sum: {
    std::int64_t sum = expr.number;
    for (std::size_t i = 0; i < operands.size(); ++i)
      sum += expr.coefficients[i] * operands[i];
    return sum;
  }
  case Kind::FloorDivide:
    return reference::floorDivide(operands[0], expr.number);
  case Kind::Minimum:
    return std::min(operands[0], operands[1]);
  case Kind::Maximum:
    return std::max(operands[0], operands[1]);
  }
  return std::nullopt;
}

std::optional<std::int64_t> KeyBounds::extentOf(ir::ExtentAttr extent) const {
  std::int64_t above = extent.getNumerator(), below = extent.getDenominator();
  for (auto [symbol, power] : llvm::zip_equal(extent.getSymbols(), extent.getPowers())) {
    std::int64_t value = -1;
    for (int i = 0; i < kernel.symbol_count; ++i)
      if (symbol.getValue() == kernel.symbols[i])
        value = values[i];
    if (value < 0)
      return std::nullopt;
    for (int i = 0; i < std::abs(power); ++i)
      (power > 0 ? above : below) *= value;
  }
  return below == 0 ? std::nullopt : std::optional(above / below);
}

std::optional<std::int64_t> KeyBounds::elementOf(mlir::Value value, const QueryBlock &block) const {
  mlir::APInt number;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
    return number.getSExtValue();
  if (auto position = llvm::dyn_cast<mlir::BlockArgument>(value))
    return position.getArgNumber() == ir::AttentionOp::batchAt  ? std::optional(block.batch)
           : position.getArgNumber() == ir::AttentionOp::headAt ? std::optional(block.head)
                                                                : std::nullopt;
  auto element = value.getDefiningOp<ir::ElementOp>();
  if (!element)
    return std::nullopt;
  unsigned capture =
      llvm::cast<mlir::BlockArgument>(element.getTensor()).getArgNumber() - ir::AttentionOp::capturesAt;
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(attention.getCaptures()[capture]);
  auto given =
      argument ? inputs.find(reference::argumentNodes(kernel)[argument.getArgNumber()]) : inputs.end();
  if (given == inputs.end() || given->second.size() == 0)
    return std::nullopt;
  std::int64_t offset = 0;
  for (auto [axis, index] : llvm::enumerate(element.getIndices())) {
    std::optional<std::int64_t> at = elementOf(index, block);
    if (!at)
      return std::nullopt;
    std::int64_t extent = given->second.shape[axis];
    offset = offset * extent + std::clamp<std::int64_t>(*at, 0, extent - 1);
  }
  return static_cast<std::int64_t>(given->second.at(offset));
}

} // namespace heed::tools
