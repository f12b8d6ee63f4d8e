//===- Captures.cpp - Tensors that a region reads -------------------------===//

#include "Captures.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace heed {
namespace {

/// Whether every position along an axis of extent `position` lies in a tensor's axis of extent `axis`, or the
/// axis is broadcast.
bool covers(ir::ExtentAttr axis, ir::ExtentAttr position) {
  bool isLongEnough = axis.isStatic() && position.isStatic() && axis.getValue() >= position.getValue();
  return axis == position || axis.isOne() || isLongEnough;
}

/// Captures come last in a region's arguments.
Value captured(ir::ElementOp element, ValueRange tensors) {
  auto argument = cast<BlockArgument>(element.getTensor());
  unsigned arguments = argument.getOwner()->getNumArguments();
  return tensors[argument.getArgNumber() - (arguments - tensors.size())];
}

InFlightDiagnostic refuse(ir::ElementOp element, size_t axis) {
  return element.emitError() << "element: axis " << axis << " of a captured "
                             << ir::tensorType(element.getTensor()).shapeStr() << " is indexed ";
}

} // namespace

FailureOr<Captures> Captures::of(Block &region, ValueRange tensors, ArrayRef<ir::ExtentAttr> extents,
                                 PositionOf positionOf) {
  Captures captures;
  for (auto element : region.getOps<ir::ElementOp>()) {
    Capture capture{captured(element, tensors), {}};
    capture.axes.resize(extents.size());
    for (auto [axis, index] : llvm::enumerate(element.getIndices())) {
      ir::ExtentAttr extent = ir::tensorType(capture.tensor).getExtent(axis);
      if (extent.isOne() || (extent.isStatic() && extent.getValue() > 0 && matchPattern(index, m_Zero())))
        continue;
      std::optional<unsigned> position = positionOf(index);
      if (!position || capture.axes[*position])
        return refuse(element, axis)
               << "by a computed value, one of the positions, each at most once, or 0 is "
                  "needed; pass the looked-up elements as an input";
      if (!covers(extent, extents[*position]))
        return refuse(element, axis) << "by a position below " << extents[*position].str()
                                     << ", one that is surely inside is needed; give the axis that extent";
      capture.axes[*position] = axis;
    }
    auto *known = llvm::find(captures.captures, capture);
    captures.numbers[element] = known - captures.captures.begin();
    if (known == captures.captures.end())
      captures.captures.push_back(capture);
  }
  return captures;
}

FailureOr<Captures> Captures::of(ir::AttentionOp op) {
  SmallVector<ir::ExtentAttr, 4> extents = op.getScoreShape();
  auto one = ir::ExtentAttr::get(op.getContext(), 1);
  // With one leading axis it is b, with none both b and h are 0.
  extents.insert(extents.end() - 2, 4 - extents.size(), one);
  return of(op.getBody().front(), op.getCaptures(), extents, [](Value index) -> std::optional<unsigned> {
    auto argument = dyn_cast<BlockArgument>(index);
    if (!argument)
      return std::nullopt;
    return argument.getArgNumber() - ir::AttentionOp::batchAt;
  });
}

FailureOr<Captures> Captures::of(ir::MapOp op) {
  return of(op.getBody().front(), op.getCaptures(), ir::tensorType(op.getResult()).getShape(),
            [](Value index) -> std::optional<unsigned> {
              auto position = index.getDefiningOp<ir::PositionOp>();
              return position ? std::optional<unsigned>(position.getAxis()) : std::nullopt;
            });
}

} // namespace heed
