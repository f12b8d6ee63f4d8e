//===- EmitGeneral.cpp - Products in general ------------------------------===//

#include "Emitter.h"
#include "Kernels/Device/Matmul.h"
#include "Kernels/General.h"

using namespace mlir;

namespace heed {
namespace {

/// An axis counted from the right of a value's type, if it has that many.
std::optional<int64_t> fromRight(Value value, int64_t axis) { return leadingAxis(value, 0, axis); }

/// The axes of a result left of its last `trailing`, as grid axes; innermost first. `uses` gives them for a
/// value that broadcasts to the result.
struct Leading {
  SmallVector<ir::ExtentAttr> extents;
  SmallVector<int> grid;
  int64_t trailing;

  void appendTo(SmallVector<AxisUse> &uses, Value value) const {
    for (size_t i = 0; i < extents.size(); ++i)
      uses.push_back({extents[i], leadingAxis(value, trailing, i), grid[i]});
  }
};

/// Rows and columns of a tile, or of a block of threads.
std::pair<int, int> blockOf(const Schedule &schedule) {
  if (const auto *ofDevice = std::get_if<DeviceMatmulSchedule>(&schedule)) {
    const DeviceTile &tile = ofDevice->block;
    return {tile.threadsY * tile.rowTile, tile.threadsX * tile.columnTile};
  }
  const MatmulSchedule &ofTile = std::get<MatmulSchedule>(schedule);
  return {ofTile.rowBlock, ofTile.columnBlock};
}

} // namespace

FailureOr<std::string> Emitter::matmulFunction(ir::MatmulOp op) {
  kernels::MatmulKernel kernel{
      .types = {elementTypeOf(op.getLeft()), elementTypeOf(op.getRight()), elementTypeOf(op.getResult())}};
  std::string key =
      keyOf(kernel.types.left, kernel.types.right, kernel.types.result, printSchedule("", *current));
  if (!device)
    return tileFunction(op, "", key, [&](const std::string &symbol) {
      kernel.name = symbol;
      return kernels::buildMatmul(kernel, schedule<MatmulSchedule>(), target);
    });
  const int gridRank = int(ir::tensorType(op.getResult()).getRank());
  return deviceFunction(op, "", key + keyOf(gridRank), [&](const std::string &symbol) {
    kernel.name = symbol;
    return kernels::buildDeviceMatmul(kernel, gridRank, schedule<DeviceMatmulSchedule>(), *device);
  });
}

LogicalResult Emitter::emit(ir::MatmulOp op) {
  ir::TensorType type = ir::tensorType(op.getResult());
  if (type.getRank() > HEED_MAX_GRID)
    return op.emitError() << "found a product of rank " << type.getRank()
                          << ", at most 5 axes are needed; merge leading axes";
  FailureOr<std::string> function = matmulFunction(op);
  if (failed(function))
    return failure();
  program::Launch launch = this->launch(*function, "");
  Leading leading{{}, {}, 2};
  for (int64_t axis = 0; axis < type.getRank() - 2; ++axis) {
    leading.grid.insert(leading.grid.begin(), addGridAxis(launch, type.getExtent(axis)));
    leading.extents.insert(leading.extents.begin(), type.getExtent(axis));
  }
  auto [rowBlock, columnBlock] = blockOf(*current);
  int rows = addGridAxis(launch, type.getExtent(-2), rowBlock);
  int columns = addGridAxis(launch, type.getExtent(-1), columnBlock);
  ir::ExtentAttr depth = ir::tensorType(op.getLeft()).getExtent(-1);

  auto add = [&](StringRef name, Value value, AxisUse inner, AxisUse outer, bool isOutput) {
    SmallVector<AxisUse> uses{inner, outer};
    uses[0].axis = fromRight(value, 0);
    uses[1].axis = fromRight(value, 1);
    leading.appendTo(uses, value);
    launch.operands.push_back(builder.operand(name, value, uses, 2, isOutput));
  };
  AxisUse k{depth}, m{type.getExtent(-2), {}, rows}, n{type.getExtent(-1), {}, columns};
  add("left", op.getLeft(), k, m, false);
  add("right", op.getRight(), n, k, false);
  add("y", op.getResult(), n, m, true);
  launch.work = builder.extent(volume(op.getResult(), 2).multiply(depth));
  addStep(std::move(launch));
  return success();
}

} // namespace heed
