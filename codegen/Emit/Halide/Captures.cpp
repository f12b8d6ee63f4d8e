//===- Captures.cpp - Tensors that a score program reads ------------------===//

#include "Captures.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace heed {
namespace {

/// Which axis of the capture an index sets; null for an index that is always 0.
FailureOr<std::optional<int64_t> *> positionOf(Value index, Capture &capture) {
  if (matchPattern(index, m_Zero()))
    return nullptr;
  auto argument = dyn_cast<BlockArgument>(index);
  if (!argument)
    return failure();
  switch (argument.getArgNumber()) {
  case ir::AttentionOp::batchAt:
    return &capture.batchAxis;
  case ir::AttentionOp::headAt:
    return &capture.headAxis;
  case ir::AttentionOp::queryAt:
    return &capture.queryAxis;
  case ir::AttentionOp::keyAt:
    return &capture.keyAxis;
  default:
    return failure();
  }
}

FailureOr<Capture> captureOf(ir::AttentionOp op, ir::ElementOp element) {
  unsigned argument = cast<BlockArgument>(element.getTensor()).getArgNumber();
  Capture capture{op.getCaptures()[argument - ir::AttentionOp::capturesAt], {}, {}, {}, {}};
  for (auto [axis, index] : llvm::enumerate(element.getIndices())) {
    FailureOr<std::optional<int64_t> *> position = positionOf(index, capture);
    if (failed(position) || (*position && **position)) {
      element.emitError()
          << "attention: found a computed index along axis " << axis
          << " of a captured tensor, one of the positions b, h, q, k (each at most once) or 0 is "
             "needed; write the table out as an input";
      return failure();
    }
    if (*position)
      **position = axis;
  }
  return capture;
}

} // namespace

FailureOr<Captures> Captures::of(ir::AttentionOp op) {
  Captures captures;
  for (auto element : op.getBody().getOps<ir::ElementOp>()) {
    FailureOr<Capture> capture = captureOf(op, element);
    if (failed(capture))
      return failure();
    auto *known = llvm::find(captures.captures, *capture);
    captures.numbers[element] = known - captures.captures.begin();
    if (known == captures.captures.end())
      captures.captures.push_back(*capture);
  }
  return captures;
}

} // namespace heed
