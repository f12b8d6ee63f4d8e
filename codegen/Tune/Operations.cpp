#include "Tune/Operations.h"

#include "Emit/Bf16Dots.h"
#include "Emit/OperationNames.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <set>

using namespace mlir;

namespace heed::tune {

namespace {

int64_t valueOf(ir::ExtentAttr extent, const Sizes &sizes) {
  double value = double(extent.getNumerator()) / double(extent.getDenominator());
  for (auto [symbol, power] : llvm::zip_equal(extent.getSymbols(), extent.getPowers()))
    value *= std::pow(double(sizes.at(symbol.str())), double(power));
  return std::llround(value);
}

/// Extents as in the table of Problem.h.
struct Extents {
  SmallVector<ir::ExtentAttr> instances, rows, columns, depth, valueDepth;
  Type element;
};

template <typename Op> Extents scoreExtents(Op op) {
  auto shape = op.getScoreShape();
  ir::TensorType query = ir::tensorType(op.getQuery());
  Extents extents;
  extents.instances.assign(shape.begin(), shape.end() - 2);
  extents.rows = {shape[shape.size() - 2]};
  extents.columns = {shape[shape.size() - 1]};
  extents.depth = {query.getExtent(-1)};
  extents.element = query.getElementType();
  return extents;
}

Extents extentsOf(ir::AttentionOp op) {
  Extents extents = scoreExtents(op);
  if (op.getValue())
    extents.valueDepth = {ir::tensorType(op.getValue()).getExtent(-1)};
  return extents;
}

Extents extentsOf(ir::LinearOp op) {
  ir::TensorType input = ir::tensorType(op.getInput());
  Extents extents;
  extents.rows.assign(input.getShape().begin(), input.getShape().end() - 1);
  extents.columns = {ir::tensorType(op.getResult()).getExtent(-1)};
  extents.depth = {input.getExtent(-1)};
  extents.element = input.getElementType();
  return extents;
}

/// The two innermost axes, and all others.
Extents innermostOf(ir::TensorType type) {
  Extents extents;
  ArrayRef<ir::ExtentAttr> shape = type.getShape();
  extents.element = type.getElementType();
  if (!shape.empty())
    extents.columns = {shape.back()};
  if (shape.size() >= 2)
    extents.rows = {shape[shape.size() - 2]};
  if (shape.size() > 2)
    extents.instances.assign(shape.begin(), shape.end() - 2);
  return extents;
}

Extents extentsOf(ir::MatmulOp op) {
  Extents extents = innermostOf(ir::tensorType(op.getResult()));
  extents.depth = {ir::tensorType(op.getLeft()).getExtent(-1)};
  return extents;
}

/// Operations along the last axis.
Extents rowExtents(Operation *op) {
  ir::TensorType input = ir::tensorType(op->getOperand(0));
  Extents extents;
  extents.rows.assign(input.getShape().begin(), input.getShape().end() - 1);
  extents.columns = {input.getExtent(-1)};
  extents.element = input.getElementType();
  return extents;
}

Extents extentsOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Extents>(op)
      .Case<ir::AttentionOp, ir::LinearOp, ir::MatmulOp>([](auto of) { return extentsOf(of); })
      .Case<ir::ScoresOp>([](auto of) { return scoreExtents(of); })
      .Case<ir::MapOp>([](auto of) { return innermostOf(ir::tensorType(of.getResult())); })
      .Default([](Operation *of) { return rowExtents(of); });
}

std::vector<std::string> symbolsOf(Operation *op) {
  Extents extents = extentsOf(op);
  std::set<std::string> within, all;
  auto add = [](std::set<std::string> &to, ArrayRef<ir::ExtentAttr> of) {
    for (ir::ExtentAttr extent : of)
      for (StringAttr symbol : extent.getSymbols())
        to.insert(symbol.str());
  };
  for (const auto *of : {&extents.rows, &extents.columns, &extents.depth, &extents.valueDepth})
    add(within, *of);
  add(all, extents.instances);
  const std::set<std::string> &used = within.empty() ? all : within;
  return {used.begin(), used.end()};
}

} // namespace

std::vector<SymbolicOperation> symbolicOperations(ir::KernelOp kernel) {
  std::vector<SymbolicOperation> operations;
  for (const NamedOperation &named : namedOperations(kernel))
    operations.push_back({named.name, named.op, symbolsOf(named.op)});
  return operations;
}

Problem problemOf(const SymbolicOperation &operation, const Sizes &sizes, bool dotsBf16) {
  Extents extents = extentsOf(operation.op);
  auto product = [&](ArrayRef<ir::ExtentAttr> of) {
    int64_t result = 1;
    for (ir::ExtentAttr extent : of)
      result *= valueOf(extent, sizes);
    return result;
  };
  Problem problem;
  problem.instances = product(extents.instances);
  problem.rows = product(extents.rows);
  problem.columns = product(extents.columns);
  problem.depth = extents.depth.empty() ? 0 : product(extents.depth);
  problem.valueDepth = extents.valueDepth.empty() ? 0 : product(extents.valueDepth);
  problem.elementBytes = std::max<int>(1, extents.element.getIntOrFloatBitWidth() / 8);
  problem.productsPerLane = dotsBf16 && hasDotsOfBf16(operation.op) ? 2 : 1;
  return problem;
}

} // namespace heed::tune
