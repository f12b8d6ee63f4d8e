//===- EmitLinear.cpp - y = epilogue(x Wᵀ + b) ------------------------------===//

#include "Emitter.h"
#include "Kernels/Device/Linear.h"
#include "Kernels/Linear.h"
#include "RegionScalars.h"

using namespace mlir;

namespace heed {
namespace {

/// Few row blocks make too few tiles for the threads, so the same function is run on narrower ones.
constexpr int64_t narrowRowBlocks = 4;
constexpr int narrowColumns = 128;

/// Axes of the result within a tile: rows and columns.
constexpr int64_t tileRank = 2;

/// What one tile function call computes, or one block of a device function, and how.
struct LinearForm {
  int rowBlock, columnBlock;
  std::string key; ///< all of the schedule
  /// The entry point of the function of a kernel, whose name it gives.
  std::function<FailureOr<std::string>(StringRef part, StringRef key, kernels::LinearKernel &kernel)>
      function;
};

/// One launch. Grid: column blocks, then the leading axes, which may join the rows, then row blocks. A block
/// of W thus stays in cache while the rows pass by.
class LinearEmitter {
public:
  LinearEmitter(Emitter &emitter, ir::LinearOp op, const Captures &captures, Value zeroProbability)
      : emitter(emitter), builder(emitter.builder), op(op), captures(captures),
        zeroProbability(zeroProbability), type(ir::tensorType(op.getResult())), rank(type.getRank()),
        inputs(ir::tensorType(op.getInput()).getExtent(-1)), heads(headsWrittenBy(op)) {
    if (!op.getEpilogue().empty())
      scalars = RegionScalars(op.getEpilogue().front());
    if (emitter.device) // whose functions know where they are
      scalars.positions.clear();
  }

  FailureOr<std::vector<program::Launch>> emit(StringRef size, const LinearForm &form) {
    std::string part = size.str();
    if (zeroProbability)
      part += part.empty() ? "kept" : "_kept";
    program::Launch launch = emitter.launch("", part);
    addGrid(launch, form);
    addScalars(launch);
    kernels::LinearKernel kernel = describe();
    addOperands(launch, kernel.epilogue);
    std::string key = keyOf(kernel.types.x, kernel.types.w, kernel.types.bias, kernel.types.output,
                            kernel.inputs ? std::to_string(*kernel.inputs) : "any", kernel.bias,
                            kernel.headDepth.value_or(0), form.key) +
                      epilogueText(kernel.epilogue);
    FailureOr<std::string> function = form.function(part, key, kernel);
    if (failed(function))
      return failure();
    launch.function = *function;
    return std::vector<program::Launch>{std::move(launch)};
  }

private:
  ir::ExtentAttr extentAt(int64_t fromRight) {
    return fromRight < rank ? type.getExtent(-1 - fromRight) : ir::ExtentAttr::get(op.getContext(), 1);
  }

  void addGrid(program::Launch &launch, const LinearForm &form) {
    grid.assign(std::max(rank, tileRank), -1);
    // Along columns, or along whole heads of them.
    grid[0] = heads ? emitter.addGridAxis(launch, heads.getHeads(),
                                          std::max<int64_t>(form.columnBlock / depth().getValue(), 1))
                    : emitter.addGridAxis(launch, extentAt(0), form.columnBlock);
    for (int64_t axis = rank - 1; axis >= tileRank; --axis)
      grid[axis] = emitter.addGridAxis(launch, extentAt(axis), 1, /*joinsNext=*/true);
    grid[1] = emitter.addGridAxis(launch, extentAt(1), form.rowBlock);
  }

  void addScalars(program::Launch &launch) {
    for (int64_t axis : scalars.positions)
      launch.scalars.push_back({HEED_TILE_START, unsigned(grid[rank - 1 - axis])});
    for (ir::ExtentAttr extent : scalars.extents)
      launch.scalars.push_back({HEED_EXTENT, builder.extent(extent)});
  }

  kernels::LinearKernel describe() {
    kernels::LinearKernel kernel;
    kernel.types.x = elementTypeOf(op.getInput());
    kernel.types.w = elementTypeOf(op.getWeight());
    if (op.getBias())
      kernel.types.bias = elementTypeOf(op.getBias());
    kernel.types.output = elementTypeOf(op.getResult());
    kernel.inputs = staticValue(inputs);
    kernel.bias = bool(op.getBias());
    if (heads)
      kernel.headDepth = depth().getValue();
    if (op.getEpilogue().empty())
      return kernel;
    kernel.epilogue.scalars = scalars.size();
    kernel.epilogue.apply = [this](auto &sum, auto &element, auto &within, auto &values) {
      return apply(sum, element, within, values);
    };
    return kernel;
  }

  Halide::Expr apply(const Halide::Expr &sum, const kernels::OperandAt &element,
                     const std::vector<Halide::Expr> &within, const std::vector<Halide::Expr> &values) {
    Block &region = op.getEpilogue().front();
    RegionInputs read;
    read.zeroProbability = zeroProbability;
    read.elements[region.getArgument(0)] = sum;
    for (size_t number = 0; number < op.getInputs().size(); ++number)
      read.elements[region.getArgument(1 + number)] = element(number, {});
    read.position = [&](int64_t axis) {
      int64_t fromRight = rank - 1 - axis;
      if (emitter.device)
        return within[fromRight];
      Halide::Expr start = values[scalars.numberOf(axis)];
      return fromRight < tileRank ? start + within[fromRight] : start;
    };
    read.extent = [&](ir::ExtentAttr extent) { return values[scalars.numberOf(extent)]; };
    read.element = [&](ir::ElementOp at, ArrayRef<Halide::Expr> indices) {
      unsigned number = captures.number(at);
      std::vector<Halide::Expr> inTable;
      for (int64_t axis : captures.list()[number].table)
        inTable.push_back(indices[axis]);
      return element(op.getInputs().size() + number, inTable);
    };
    return evaluateRegion(region, read).front();
  }

  /// The axes of a value that has, per axis of the result counted from the right, the axis that `axisOf`
  /// says. The innermost one of `x` is not an axis of the result.
  SmallVector<AxisUse> uses(llvm::function_ref<std::optional<int64_t>(int64_t fromRight)> axisOf) {
    SmallVector<AxisUse> uses;
    for (auto [fromRight, gridAxis] : llvm::enumerate(grid))
      uses.push_back({extentAt(fromRight), axisOf(fromRight), gridAxis});
    return uses;
  }
  SmallVector<AxisUse> fromTheRight(Value value) {
    return uses([value](int64_t fromRight) { return leadingAxis(value, 0, fromRight); });
  }

  /// Of a head.
  ir::ExtentAttr depth() { return heads.getType().getExtent(3); }

  /// The columns, which lie along axis 0 of weight and bias.
  SmallVector<AxisUse> columns() {
    if (heads)
      return {{depth(), 0}, {heads.getHeads(), 0, grid[0], depth()}};
    return {{extentAt(0), 0, grid[0]}};
  }

  /// The result's operand (d, heads, rows), leading axes.
  program::Operand headsOperand() {
    SmallVector<AxisUse> axes{
        {depth(), 3}, {heads.getHeads(), 1, grid[0]}, {extentAt(1), 2, grid[1]}, {extentAt(2), 0, grid[2]}};
    return builder.operand("y", heads.getResult(), axes, 3, /*isOutput=*/true);
  }

  void addOperands(program::Launch &launch, kernels::Epilogue &epilogue) {
    SmallVector<AxisUse> x = fromTheRight(op.getInput());
    x[0] = {inputs, x[0].axis};
    launch.operands.push_back(builder.operand("x", op.getInput(), x, 2));
    SmallVector<AxisUse> bias = columns(), weight{{inputs, 1}};
    weight.append(bias);
    launch.operands.push_back(builder.operand("w", op.getWeight(), weight, weight.size()));
    if (op.getBias())
      launch.operands.push_back(builder.operand("b", op.getBias(), bias, bias.size()));
    for (auto [number, input] : llvm::enumerate(op.getInputs()))
      addEpilogueOperand(launch, epilogue,
                         builder.operand("x" + std::to_string(number), input, fromTheRight(input), tileRank),
                         input);
    for (auto [number, capture] : llvm::enumerate(captures.list()))
      addCapture(launch, epilogue, number, capture);
    launch.operands.push_back(
        heads ? headsOperand()
              : builder.operand("y", op.getResult(), fromTheRight(op.getResult()), 2, /*isOutput=*/true));
    auto work = ir::ExtentAttr::get(op.getContext(), 2).multiply(inputs);
    for (ir::ExtentAttr axis : type.getShape())
      work = work.multiply(axis);
    launch.work = builder.extent(work);
  }

  void addCapture(program::Launch &launch, kernels::Epilogue &epilogue, unsigned number,
                  const Capture &capture) {
    std::string name = "capture " + std::to_string(number);
    SmallVector<AxisUse> positions = uses([&](int64_t fromRight) -> std::optional<int64_t> {
      return fromRight < rank ? capture.axes[rank - 1 - fromRight] : std::nullopt;
    });
    if (!capture.isTable())
      return addEpilogueOperand(launch, epilogue, builder.operand(name, capture.tensor, positions, tileRank),
                                capture.tensor);
    SmallVector<AxisUse> axes;
    for (int64_t axis : capture.table)
      axes.push_back({ir::tensorType(capture.tensor).getExtent(axis), axis});
    axes.append(positions.begin() + tileRank, positions.end());
    epilogue.operands.push_back(
        {.type = elementTypeOf(capture.tensor), .tableRank = int(capture.table.size())});
    launch.operands.push_back(builder.operand(name, capture.tensor, axes, capture.table.size()));
  }

  void addEpilogueOperand(program::Launch &launch, kernels::Epilogue &epilogue, program::Operand operand,
                          Value value) {
    const program::Axis &columns = operand.axes[0], &rows = operand.axes[1];
    int innermost = int(builder.program.bufferExtents(operand.buffer).size()) - 1;
    epilogue.operands.push_back(
        {.type = elementTypeOf(value),
         .alongColumns = columns.axis >= 0,
         .alongRows = rows.axis >= 0,
         .isDense = columns.axis == innermost && columns.multiplier == builder.program.number(1)});
    launch.operands.push_back(std::move(operand));
  }

  std::string epilogueText(const kernels::Epilogue &epilogue) {
    if (!epilogue.apply)
      return "";
    std::string text = canonicalText(op.getEpilogue().front(), captures);
    for (const kernels::EpilogueOperand &operand : epilogue.operands)
      text +=
          keyOf(operand.type, operand.alongColumns, operand.alongRows, operand.isDense, operand.tableRank);
    return text;
  }

  Emitter &emitter;
  ProgramBuilder &builder;
  ir::LinearOp op;
  const Captures &captures;
  Value zeroProbability; ///< the epilogue's argument that is known to hold 0
  ir::TensorType type;
  int64_t rank;
  ir::ExtentAttr inputs;
  ir::SplitHeadsOp heads; ///< that it writes, or none
  RegionScalars scalars;
  SmallVector<int> grid; ///< grid axis per axis of the result, counted from the right
};

/// A form that is run up to so many rows; without a limit when negative, never when 0.
struct LinearFamily {
  int64_t atMost;
  StringRef size; ///< in names
  LinearForm form;
};

std::vector<LinearFamily> familiesOf(Emitter &emitter, ir::LinearOp op, const LinearSchedule &schedule) {
  const LinearTile &tile = schedule.block;
  int64_t columns = staticValue(ir::tensorType(op.getResult()).getExtent(-1)).value_or(tile.columnBlock);
  bool canNarrow = std::min<int64_t>(columns, tile.columnBlock) > narrowColumns;
  int64_t narrowLimit = canNarrow ? narrowRowBlocks * tile.rowBlock : 0;
  auto functionOf = [&emitter, op](const auto &tile, auto build) {
    return [=, &emitter, &tile](StringRef part, StringRef key, kernels::LinearKernel &kernel) {
      return emitter.tileFunction(op, part, key, [&](const std::string &symbol) {
        kernel.name = symbol;
        return build(kernel, tile, emitter.target);
      });
    };
  };
  auto formOf = [&](const LinearTile &tile, int columnBlock) {
    return LinearForm{tile.rowBlock, columnBlock, printSchedule("", LinearSchedule{.block = tile}),
                      functionOf(tile, kernels::buildLinear)};
  };
  // All rows of one leading index are in one tile: no more of them than the limit.
  LinearForm few{std::max(schedule.fewRowLimit, 1), schedule.few.columnBlock,
                 printSchedule("", LinearSchedule{.few = schedule.few}),
                 functionOf(schedule.few, kernels::buildFewRows)};
  return {{schedule.fewRowLimit, "few", few},
          {schedule.smallLimit, "small", formOf(schedule.small, schedule.small.columnBlock)},
          {narrowLimit, "", formOf(tile, narrowColumns)},
          {-1, "", formOf(tile, tile.columnBlock)}};
}

std::vector<LinearFamily> familiesOf(Emitter &emitter, ir::LinearOp op,
                                     const DeviceLinearSchedule &schedule) {
  const DeviceTile &tile = schedule.block;
  int gridRank = int(std::max(ir::tensorType(op.getResult()).getRank(), tileRank));
  auto function = [=, &emitter, &schedule](StringRef part, StringRef key, kernels::LinearKernel &kernel) {
    return emitter.deviceFunction(op, part, key.str() + keyOf(gridRank), [&](const std::string &symbol) {
      kernel.name = symbol;
      return kernels::buildDeviceLinear(kernel, gridRank, schedule, *emitter.device);
    });
  };
  return {{-1,
           "",
           {tile.threadsY * tile.rowTile, tile.threadsX * tile.columnTile, printSchedule("", schedule),
            function}}};
}

} // namespace

static ir::ExtentAttr rowsOf(ir::TensorType type) {
  auto rows = ir::ExtentAttr::get(type.getContext(), 1);
  for (ir::ExtentAttr axis : type.getShape().drop_back())
    rows = rows.multiply(axis);
  return rows;
}

LogicalResult Emitter::emit(ir::LinearOp op) {
  ir::TensorType type = ir::tensorType(op.getResult());
  if (type.getRank() > HEED_MAX_GRID)
    return op.emitError() << "found an input of rank " << type.getRank()
                          << ", at most 5 axes are needed; merge leading axes";
  Captures captures = Captures::of(op, tileRank);
  if (failed(checkRegions(op)))
    return failure();
  const std::vector<LinearFamily> forms = device ? familiesOf(*this, op, schedule<DeviceLinearSchedule>())
                                                 : familiesOf(*this, op, schedule<LinearSchedule>());
  std::vector<Family> families;
  auto addFamilies = [&](std::optional<unsigned> zeroArgument, Value zero) {
    for (const LinearFamily &family : forms)
      families.push_back({family.atMost, zeroArgument, [=, this, &family, &captures] {
                            return LinearEmitter(*this, op, captures, zero).emit(family.size, family.form);
                          }});
  };
  if (auto probability = callersProbability(op.getEpilogue(), op.getCaptures()))
    addFamilies(probability->argument, probability->inRegion);
  addFamilies(std::nullopt, {});
  return addStep(rowsOf(type), families);
}

} // namespace heed
