//===- EmitMap.cpp - Element-by-element work and copies -------------------===//

#include "Captures.h"
#include "Emitter.h"
#include "Kernels/Device/Map.h"
#include "Kernels/General.h"
#include "RegionScalars.h"

using namespace mlir;

namespace heed {
namespace {

/// Two axes in the tile function, the others in the grid, which has room for three beside theirs.
size_t tileRankOf(ir::MapOp op) {
  int64_t rank = ir::tensorType(op.getResult()).getRank();
  return rank < 2 ? 1 : rank < 6 ? 2 : 3;
}

/// What one tile function call computes, or one block of a device function, and how.
struct MapForm {
  int innerBlock, outerBlock;
  std::string key; ///< all of the schedule
};

class MapEmitter {
public:
  MapEmitter(Emitter &emitter, ir::MapOp op, const Captures &captures, Value zeroProbability)
      : emitter(emitter), builder(emitter.builder), op(op), region(op.getBody().front()), captures(captures),
        zeroProbability(zeroProbability), scalars(region), type(ir::tensorType(op.getResult())),
        rank(type.getRank()), kernelRank(tileRankOf(op)) {
    if (emitter.device) // whose functions know where they are
      scalars.positions.clear();
  }

  FailureOr<program::Launch> emit(StringRef part, const MapSchedule &schedule) {
    return emit(part, {schedule.innerBlock, schedule.outerBlock, printSchedule("", schedule)},
                [&](kernels::MapKernel &kernel, const std::string &key) {
                  return emitter.tileFunction(op, part, key, [&](const std::string &symbol) {
                    kernel.name = symbol;
                    return kernels::buildMap(kernel, schedule, emitter.target);
                  });
                });
  }

  FailureOr<program::Launch> emit(StringRef part, const DeviceMapSchedule &schedule) {
    MapForm form{schedule.threadsX * schedule.elements, schedule.threadsY, printSchedule("", schedule)};
    return emit(part, form, [&](kernels::MapKernel &kernel, const std::string &key) {
      return emitter.deviceFunction(op, part, key, [&](const std::string &symbol) {
        kernel.name = symbol;
        return kernels::buildDeviceMap(kernel, std::max<int64_t>(rank, 1), gridRank(), schedule,
                                       *emitter.device);
      });
    });
  }

private:
  FailureOr<program::Launch>
  emit(StringRef part, const MapForm &form,
       llvm::function_ref<FailureOr<std::string>(kernels::MapKernel &, const std::string &key)> functionOf) {
    kernels::MapKernel kernel = describe();
    std::string key = keyOf(kernelRank, rank, kernel.result, canonicalText(region, captures), form.key);
    for (const Halide::Type &operand : kernel.operands)
      key += keyOf(operand);
    for (int table : kernel.tables)
      key += keyOf(table);
    FailureOr<std::string> function = functionOf(kernel, key);
    if (failed(function))
      return failure();
    program::Launch launch = emitter.launch(*function, part);
    addGrid(launch, form);
    addScalars(launch);
    addOperands(launch);
    return launch;
  }

  /// Axes beyond the kernel's, then rows, if it has some, and columns.
  int gridRank() const {
    int64_t outer = std::max<int64_t>(rank - int64_t(kernelRank), 0);
    return int(outer + (kernelRank > 1 ? 2 : 1));
  }

  kernels::MapKernel describe() {
    kernels::MapKernel kernel{.rank = int(kernelRank), .result = halideType(type.getElementType())};
    auto add = [&](Value tensor) { kernel.operands.push_back(elementTypeOf(tensor)); };
    llvm::for_each(op.getInputs(), add);
    kernel.tables.assign(kernel.operands.size(), -1);
    for (const Capture &capture : captures.list()) {
      add(capture.tensor);
      kernel.tables.push_back(capture.isTable() ? int(capture.table.size()) : -1);
    }
    kernel.scalars = scalars.size();
    kernel.apply = [this](auto &element, auto &within, auto &values) {
      return apply(element, within, values);
    };
    return kernel;
  }

  Halide::Expr apply(const kernels::OperandAt &element, const std::vector<Halide::Expr> &within,
                     const std::vector<Halide::Expr> &values) {
    RegionInputs inputs;
    inputs.zeroProbability = zeroProbability;
    for (auto [number, input] : llvm::enumerate(op.getInputs()))
      inputs.elements[region.getArgument(number)] = element(number, {});
    inputs.position = [&](int64_t axis) {
      size_t fromRight = rank - 1 - axis;
      if (emitter.device)
        return within[fromRight];
      Halide::Expr start = values[scalars.numberOf(axis)];
      return fromRight < kernelRank ? start + within[fromRight] : start;
    };
    inputs.extent = [&](ir::ExtentAttr extent) { return values[scalars.numberOf(extent)]; };
    inputs.element = [&](ir::ElementOp read, ArrayRef<Halide::Expr> indices) {
      unsigned number = captures.number(read);
      std::vector<Halide::Expr> inTable;
      for (int64_t axis : captures.list()[number].table)
        inTable.push_back(indices[axis]);
      return element(op.getInputs().size() + number, inTable);
    };
    Halide::Expr result = evaluateRegion(region, inputs).front();
    return Halide::cast(halideType(type.getElementType()), result);
  }

  ir::ExtentAttr extentAt(int64_t fromRight) {
    return fromRight < rank ? type.getExtent(-1 - fromRight) : ir::ExtentAttr::get(op.getContext(), 1);
  }

  /// The outer axes, which may join the rows, then rows and columns.
  void addGrid(program::Launch &launch, const MapForm &form) {
    grid.assign(std::max<int64_t>(rank, 1), -1);
    for (int64_t axis = rank - 1; axis >= int64_t(kernelRank); --axis)
      grid[axis] = emitter.addGridAxis(launch, extentAt(axis), 1, /*joinsNext=*/axis > 2 || kernelRank == 2);
    if (kernelRank > 1)
      grid[1] = emitter.addGridAxis(launch, extentAt(1), form.outerBlock);
    grid[0] = emitter.addGridAxis(launch, extentAt(0), form.innerBlock);
  }

  void addScalars(program::Launch &launch) {
    for (int64_t axis : scalars.positions) {
      int gridAxis = grid[rank - 1 - axis];
      // An axis that the grid doesn't cut starts at 0.
      launch.scalars.push_back(gridAxis < 0 ? program::Scalar{HEED_EXTENT, builder.program.number(0)}
                                            : program::Scalar{HEED_TILE_START, unsigned(gridAxis)});
    }
    for (ir::ExtentAttr extent : scalars.extents)
      launch.scalars.push_back({HEED_EXTENT, builder.extent(extent)});
  }

  void addOperands(program::Launch &launch) {
    auto add = [&](StringRef name, Value value, auto axisOf, bool isOutput) {
      SmallVector<AxisUse> uses;
      for (auto [fromRight, gridAxis] : llvm::enumerate(grid))
        uses.push_back({extentAt(fromRight), axisOf(fromRight), gridAxis});
      launch.operands.push_back(builder.operand(name, value, uses, kernelRank, isOutput));
    };
    auto broadcast = [](Value value) {
      return [value](int64_t fromRight) { return leadingAxis(value, 0, fromRight); };
    };
    for (auto [number, input] : llvm::enumerate(op.getInputs()))
      add("x" + std::to_string(number), input, broadcast(input), false);
    for (auto [number, capture] : llvm::enumerate(captures.list())) {
      if (capture.isTable()) {
        addTable(launch, number, capture);
        continue;
      }
      auto byPosition = [&, &axes = capture.axes](int64_t fromRight) -> std::optional<int64_t> {
        return fromRight < rank ? axes[rank - 1 - fromRight] : std::nullopt;
      };
      add("capture " + std::to_string(number), capture.tensor, byPosition, false);
    }
    add("y", op.getResult(), broadcast(op.getResult()), true);
    launch.work = builder.extent(volume(op.getResult()));
  }

  /// Its own axes, then those along which the grid moves it.
  void addTable(program::Launch &launch, unsigned number, const Capture &capture) {
    SmallVector<AxisUse> uses;
    for (int64_t axis : capture.table)
      uses.push_back({ir::tensorType(capture.tensor).getExtent(axis), axis});
    for (int64_t fromRight = kernelRank; fromRight < rank; ++fromRight)
      uses.push_back({extentAt(fromRight), capture.axes[rank - 1 - fromRight], grid[fromRight]});
    launch.operands.push_back(
        builder.operand("capture " + std::to_string(number), capture.tensor, uses, capture.table.size()));
  }

  Emitter &emitter;
  ProgramBuilder &builder;
  ir::MapOp op;
  Block &region;
  const Captures &captures;
  Value zeroProbability;
  RegionScalars scalars;
  ir::TensorType type;
  int64_t rank;
  size_t kernelRank;
  SmallVector<int> grid; ///< grid axis per axis of the result, counted from the right
};

} // namespace

LogicalResult Emitter::emit(ir::MapOp op) {
  Block &region = op.getBody().front();
  Captures captures = Captures::of(op, tileRankOf(op));
  if (failed(checkRegions(op)))
    return failure();
  auto launches = [&](StringRef part, Value zeroProbability) -> FailureOr<std::vector<program::Launch>> {
    MapEmitter emitter(*this, op, captures, zeroProbability);
    FailureOr<program::Launch> launch = device ? emitter.emit(part, schedule<DeviceMapSchedule>())
                                               : emitter.emit(part, schedule<MapSchedule>());
    if (failed(launch))
      return failure();
    return std::vector<program::Launch>{std::move(*launch)};
  };
  std::vector<Family> families;
  auto probability = callersProbability(op.getBody(), op.getCaptures());
  if (probability)
    families.push_back({-1, probability->argument, [&] { return launches("kept", probability->inRegion); }});
  families.push_back({-1, {}, [&] { return launches("", {}); }});
  return addStep(ir::ExtentAttr::get(op.getContext(), 1), families);
}

} // namespace heed
