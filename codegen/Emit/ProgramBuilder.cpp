//===- ProgramBuilder.cpp - From values and axes to operands --------------===//

#include "ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace heed {

heed_dtype elementType(Type element) {
  if (element.isInteger(1))
    return HEED_B8;
  if (element.isInteger(32))
    return HEED_I32;
  if (element.isInteger(64))
    return HEED_I64;
  if (element.isF16())
    return HEED_F16;
  if (element.isBF16())
    return HEED_BF16;
  if (element.isF32())
    return HEED_F32;
  if (element.isF64())
    return HEED_F64;
  llvm_unreachable("the dialect has no other element type");
}

std::optional<int64_t> leadingAxis(Value value, int64_t trailing, int64_t fromRight) {
  int64_t axis = ir::tensorType(value).getRank() - trailing - 1 - fromRight;
  return axis < 0 ? std::nullopt : std::optional(axis);
}

ProgramBuilder::ProgramBuilder(ir::KernelOp kernel, const Placement &placement) : placement(placement) {
  program.name = kernel.getSymName().str();
  auto add = [&](StringRef name, heed_role role, Type type) {
    auto tensor = cast<ir::TensorType>(type);
    SmallVector<unsigned> extents;
    for (ir::ExtentAttr axis : tensor.getShape())
      extents.push_back(extent(axis));
    program.arguments.push_back({name.str(), role, elementType(tensor.getElementType()), extents});
  };
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto role = kernel.getArgAttrOfType<StringAttr>(number, ir::KernelOp::roleAttr).getValue();
    add(kernel.getArgumentName(number),
        role == "weight"   ? HEED_WEIGHT
        : role == "scalar" ? HEED_SCALAR
        : role == "state"  ? HEED_STATE
                           : HEED_INPUT,
        type);
    buffers[kernel.getBody().getArgument(number)] = number;
  }
  for (auto [number, type] : llvm::enumerate(kernel.getResultTypes()))
    if (!kernel.getStateOf(number))
      add(kernel.getOutputName(number), HEED_OUTPUT, type);
  for (auto append : kernel.getBody().front().getOps<ir::AppendOp>()) {
    program::Bound bound{cast<BlockArgument>(append.getPosition()).getArgNumber(),
                         extent(append.getType().getExtent(append.getAxis())),
                         extent(ir::tensorType(append.getRows()).getExtent(append.getAxis()))};
    if (!llvm::is_contained(program.bounds, bound))
      program.bounds.push_back(bound);
  }
}

unsigned ProgramBuilder::extent(ir::ExtentAttr attribute) {
  program::Extent extent;
  extent.numerator = attribute.getNumerator();
  extent.denominator = attribute.getDenominator();
  for (auto [symbol, power] : llvm::zip_equal(attribute.getSymbols(), attribute.getPowers()))
    extent.factors.push_back({program.symbol(symbol.getValue()), int(power)});
  llvm::sort(extent.factors, [](auto &a, auto &b) { return a.symbol < b.symbol; });
  return program.extent(extent);
}

/// About as many rows as a tile of a linear has, which decides where heads that it writes lie.
static constexpr unsigned rowsOfLinear = 64;

unsigned ProgramBuilder::buffer(Value home) {
  if (auto found = buffers.find(home); found != buffers.end())
    return found->second;
  if (std::optional<unsigned> output = placement.output(home)) {
    unsigned inputs = home.getParentRegion()->getNumArguments();
    return buffers[home] = inputs + *output;
  }
  SmallVector<unsigned> extents;
  for (ir::ExtentAttr axis : ir::tensorType(home).getShape())
    extents.push_back(extent(axis));
  unsigned number = program.addTemporary(elementType(ir::tensorType(home).getElementType()), extents);
  if (isa<ir::SplitHeadsOp>(home.getDefiningOp()))
    program.temporaries.back().rowBlock = rowsOfLinear;
  return buffers[home] = number;
}

program::Operand ProgramBuilder::operand(StringRef name, Value value, ArrayRef<AxisUse> axes,
                                         unsigned kernelRank, bool isOutput) {
  View view = *placement.view(value);
  program::Operand operand{name.str(), buffer(view.home), kernelRank, isOutput, {}};
  for (auto [number, use] : llvm::enumerate(axes)) {
    program::Axis axis{extent(use.extent), program.number(1), -1, use.grid, false};
    bool broadcast = !use.axis || (view.axes[*use.axis].extent.isOne() && !use.extent.isOne());
    if (!broadcast) {
      axis.axis = view.axes[*use.axis].axis;
      ir::ExtentAttr multiplier = view.axes[*use.axis].multiplier;
      axis.multiplier = extent(use.step ? multiplier.multiply(use.step) : multiplier);
    } else if (number >= kernelRank) {
      continue; // it neither moves the pointer nor is seen by the tile function
    }
    operand.axes.push_back(axis);
  }
  for (const ViewOffset &offset : view.offsets)
    if (offset.extent)
      operand.offsets.push_back({HEED_OFFSET_EXTENT, offset.axis, extent(offset.extent)});
    else
      operand.offsets.push_back(
          {HEED_OFFSET_ARGUMENT, offset.axis, cast<BlockArgument>(offset.argument).getArgNumber()});
  return operand;
}

program::Program ProgramBuilder::take() {
  program::assignSlots(program);
  return std::move(program);
}

} // namespace heed
