//===- ScoreProgram.cpp - An attention's region for its kernel ------------===//

#include "ScoreProgram.h"

#include "Region.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using Halide::Expr;

namespace heed {
namespace {

/// A region that passes the score on and shows every key.
bool isIdentity(Block &region) {
  Operation *yield = region.getTerminator();
  return yield->getOperand(0) == region.getArgument(ir::AttentionOp::scoreAt) &&
         matchPattern(yield->getOperand(1), m_One());
}

} // namespace

kernels::ScoreProgram scoreProgram(ir::AttentionOp op, const Captures &captures,
                                   SmallVectorImpl<ir::ExtentAttr> &extents) {
  kernels::ScoreProgram program;
  Block &region = op.getBody().front();
  for (const Capture &capture : captures.list())
    program.captures.push_back(halideType(ir::tensorType(capture.tensor).getElementType()));
  for (auto value : region.getOps<ir::ExtentValueOp>())
    if (!llvm::is_contained(extents, value.getExtent()))
      extents.push_back(value.getExtent());
  program.extents = extents.size();
  if (isIdentity(region))
    return program;

  program.apply = [&region, &captures, &extents](Expr score, Expr batch, Expr head, Expr query, Expr key,
                                                 const std::vector<Expr> &elements,
                                                 const std::vector<Expr> &extentValues) {
    RegionInputs inputs;
    inputs.elements[region.getArgument(ir::AttentionOp::scoreAt)] = score;
    inputs.positions[region.getArgument(ir::AttentionOp::batchAt)] = batch;
    inputs.positions[region.getArgument(ir::AttentionOp::headAt)] = head;
    inputs.positions[region.getArgument(ir::AttentionOp::queryAt)] = query;
    inputs.positions[region.getArgument(ir::AttentionOp::keyAt)] = key;
    inputs.element = [&](ir::ElementOp element) { return elements[captures.number(element)]; };
    inputs.extent = [&](ir::ExtentAttr extent) {
      return extentValues[llvm::find(extents, extent) - extents.begin()];
    };
    std::vector<Expr> results = evaluateRegion(region, inputs);
    bool showsAll = matchPattern(region.getTerminator()->getOperand(1), m_One());
    return kernels::ScoreAndVisible{results[0], showsAll ? Expr() : results[1]};
  };
  return program;
}

} // namespace heed
