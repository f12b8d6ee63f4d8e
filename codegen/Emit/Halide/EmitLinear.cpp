//===- EmitLinear.cpp - y = x Wᵀ + b ----------------------------------------===//

#include "Emitter.h"
#include "Kernels/Linear.h"

using namespace mlir;

namespace heed {
namespace {

/// Grid: column blocks, then the leading axes, which may join the rows, then row blocks. A block of W thus
/// stays in cache while the rows pass by.
struct Walk {
  AxisUse columns, inputs, rows;
  SmallVector<ir::ExtentAttr> leading; ///< outermost first
};

Walk walk(ir::LinearOp op) {
  ir::TensorType input = ir::tensorType(op.getInput());
  Walk walk;
  walk.columns = {ir::tensorType(op.getWeight()).getExtent(0), 0};
  walk.inputs = {input.getExtent(-1), input.getRank() - 1};
  if (input.getRank() < 2)
    walk.rows = {ir::ExtentAttr::get(op.getContext(), 1), std::nullopt};
  else
    walk.rows = {input.getExtent(-2), input.getRank() - 2};
  if (input.getRank() > 2)
    walk.leading.assign(input.getShape().begin(), input.getShape().end() - 2);
  return walk;
}

/// Few row blocks make too few tiles for the threads, so the same function is run on narrower ones.
constexpr int64_t narrowRowBlocks = 4;
constexpr int narrowColumns = 128;

AxisUse along(AxisUse use, std::optional<int64_t> axis, int grid) {
  use.axis = axis;
  use.grid = grid;
  return use;
}

} // namespace

LogicalResult Emitter::emit(ir::LinearOp op) {
  Walk axes = walk(op);
  if (axes.leading.size() + 2 > HEED_MAX_GRID)
    return op.emitError() << "found an input of rank " << axes.leading.size() + 2
                          << ", at most 5 axes are needed; merge leading axes";
  const LinearSchedule &schedule = this->schedule<LinearSchedule>();
  auto rows = ir::ExtentAttr::get(op.getContext(), 1);
  for (ir::ExtentAttr axis : ir::tensorType(op.getInput()).getShape().drop_back())
    rows = rows.multiply(axis);

  auto family = [&](StringRef part, const LinearTile &tile,
                    int columnBlock) -> FailureOr<std::vector<program::Launch>> {
    kernels::LinearKernel kernel;
    kernel.element = halideType(ir::tensorType(op.getResult()).getElementType());
    kernel.inputs = staticValue(axes.inputs.extent);
    kernel.bias = bool(op.getBias());
    std::string key = keyOf(kernel.element, kernel.inputs ? std::to_string(*kernel.inputs) : "any",
                            kernel.bias, printSchedule("", LinearSchedule{.block = tile, .small = tile}));
    FailureOr<std::string> function = tileFunction(op, part, key, [&](const std::string &symbol) {
      kernel.name = symbol;
      return kernels::buildLinear(kernel, tile, target);
    });
    if (failed(function))
      return failure();

    program::Launch launch = this->launch(*function, part);
    int columns = addGridAxis(launch, axes.columns.extent, columnBlock);
    SmallVector<AxisUse> leading;
    for (auto [axis, extent] : llvm::enumerate(axes.leading))
      leading.push_back({extent, axis, addGridAxis(launch, extent, 1, /*joinsNext=*/true)});
    int row = addGridAxis(launch, axes.rows.extent, tile.rowBlock);

    SmallVector<AxisUse> x{axes.inputs, along(axes.rows, axes.rows.axis, row)};
    llvm::append_range(x, llvm::reverse(leading));
    launch.operands.push_back(builder.operand("x", op.getInput(), x, 2));
    launch.operands.push_back(builder.operand(
        "w", op.getWeight(), {along(axes.inputs, 1, -1), along(axes.columns, 0, columns)}, 2));
    if (op.getBias())
      launch.operands.push_back(builder.operand("b", op.getBias(), along(axes.columns, 0, columns), 1));
    SmallVector<AxisUse> y{along(axes.columns, axes.inputs.axis, columns),
                           along(axes.rows, axes.rows.axis, row)};
    llvm::append_range(y, llvm::reverse(leading));
    launch.operands.push_back(builder.operand("y", op.getResult(), y, 2, /*isOutput=*/true));
    launch.work = builder.extent(ir::ExtentAttr::get(op.getContext(), 2)
                                     .multiply(rows)
                                     .multiply(axes.inputs.extent)
                                     .multiply(axes.columns.extent));
    return std::vector<program::Launch>{std::move(launch)};
  };
  const LinearTile &tile = schedule.block;
  auto small = [&] { return family("small", schedule.small, schedule.small.columnBlock); };
  auto narrow = [&] { return family("", tile, narrowColumns); };
  auto block = [&] { return family("", tile, tile.columnBlock); };
  int64_t columns = staticValue(axes.columns.extent).value_or(tile.columnBlock);
  bool canNarrow = std::min<int64_t>(columns, tile.columnBlock) > narrowColumns;
  int64_t narrowLimit = canNarrow ? narrowRowBlocks * tile.rowBlock : 0;
  return addStep(rows, {{schedule.smallLimit, {}, small}, {narrowLimit, {}, narrow}, {-1, {}, block}});
}

} // namespace heed
