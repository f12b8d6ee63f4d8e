//===- EmitRows.cpp - Operations along the last axis ----------------------===//

#include "Emitter.h"
#include "Kernels/Device/Rows.h"

#include <bit>

using namespace mlir;

namespace heed {
namespace {

/// One launch over the rows of an operand, whose last axis the tile function sees whole.
class RowLaunch {
public:
  /// Neighbouring leading axes may be walked as one, unless an operand differs along one of them.
  RowLaunch(Emitter &emitter, std::string function, Value input, int rowBlock, bool joins)
      : launch(emitter.launch(std::move(function), "")), builder(emitter.builder),
        type(ir::tensorType(input)), rank(type.getRank()), one(ir::ExtentAttr::get(input.getContext(), 1)) {
    for (int64_t axis = 0; axis < rank - 2; ++axis)
      rows.insert(rows.begin(),
                  {type.getExtent(axis), axis, emitter.addGridAxis(launch, type.getExtent(axis), 1, joins)});
    ir::ExtentAttr queries = rank > 1 ? type.getExtent(-2) : one;
    rows.insert(rows.begin(), {queries, rank > 1 ? std::optional(rank - 2) : std::nullopt,
                               emitter.addGridAxis(launch, queries, rowBlock)});
    add("x", input);
    launch.work = builder.extent(volume(input, /*operations=*/8));
  }

  /// An operand of the input's shape, or of its rows.
  void add(StringRef name, Value value, bool isOutput = false) {
    SmallVector<AxisUse> uses;
    bool hasLast = ir::tensorType(value).getRank() == rank;
    if (hasLast)
      uses.push_back({type.getExtent(-1), rank - 1});
    llvm::append_range(uses, rows);
    launch.operands.push_back(builder.operand(name, value, uses, hasLast ? 2 : 1, isOutput));
  }

  /// (n), the same for every row.
  void addParameter(StringRef name, Value value) {
    launch.operands.push_back(builder.operand(name, value, {{type.getExtent(-1), 0}}, 1));
  }

  /// (h) beside scores (b, h, q, k).
  void addSink(Value sink) {
    launch.operands.push_back(builder.operand("sink", sink, {{one, {}}, {type.getExtent(1), 0, 1}}, 1));
  }

  program::Launch launch;

private:
  ProgramBuilder &builder;
  ir::TensorType type;
  int64_t rank;
  ir::ExtentAttr one;
  SmallVector<AxisUse> rows; ///< all axes but the last, innermost first
};

} // namespace

/// The function of a description of what is computed, for a CPU or a device.
template <typename Kernel> struct RowFunctions {
  kernels::TileFunction (*tile)(const Kernel &, const kernels::CpuTarget &);
  kernels::DeviceFunction (*device)(const Kernel &, int gridRank, const DeviceRowsSchedule &,
                                    const kernels::DeviceTarget &);
};

/// The leading axes of x but the last, then blocks of rows along that.
static int gridRankOf(Value input) { return int(std::max<int64_t>(ir::tensorType(input).getRank() - 1, 1)); }

template <typename Kernel>
FailureOr<std::string> Emitter::rowsFunction(Operation *op, StringRef key, Kernel &kernel,
                                             const RowFunctions<Kernel> &functions) {
  if (!device)
    return tileFunction(op, "", key, [&](const std::string &symbol) {
      kernel.name = symbol;
      return functions.tile(kernel, target);
    });
  const auto &schedule = this->schedule<DeviceRowsSchedule>();
  const int gridRank = gridRankOf(op->getOperand(0));
  return deviceFunction(op, "", key.str() + keyOf(gridRank, printSchedule("", schedule)),
                        [&](const std::string &symbol) {
                          kernel.name = symbol;
                          return functions.device(kernel, gridRank, schedule, *device);
                        });
}

template <typename Kernel>
LogicalResult Emitter::emitRows(Operation *op, StringRef key, Kernel &kernel,
                                const RowFunctions<Kernel> &functions) {
  FailureOr<std::string> function = rowsFunction(op, key, kernel, functions);
  if (failed(function))
    return failure();
  Value sink;
  if (isa<ir::SoftmaxOp, ir::LogSumExpOp>(op) && op->getNumOperands() == 2)
    sink = op->getOperand(1);
  int rowBlock = device ? schedule<DeviceRowsSchedule>().rows : schedule<RowsSchedule>().rowBlock;
  RowLaunch rows(*this, *function, op->getOperand(0), rowBlock, /*joins=*/!sink);
  if (sink)
    rows.addSink(sink);
  if (isa<ir::LayerNormOp, ir::RmsNormOp>(op))
    for (auto [number, parameter] : llvm::enumerate(op->getOperands().drop_front()))
      rows.addParameter(number == 0 ? "gain" : "bias", parameter);
  rows.add("y", op->getResult(0), /*isOutput=*/true);
  addStep(std::move(rows.launch));
  return success();
}

template <typename Op> static kernels::SoftmaxKernel describe(Op op) {
  kernels::SoftmaxKernel kernel{.hasSink = bool(op.getSink())};
  kernel.types.input = elementTypeOf(op.getInput());
  if (op.getSink())
    kernel.types.sink = elementTypeOf(op.getSink());
  kernel.types.result = elementTypeOf(op.getResult());
  return kernel;
}

LogicalResult Emitter::emit(ir::SoftmaxOp op) {
  kernels::SoftmaxKernel kernel = describe(op);
  kernel.nanForEmpty = op.getNanForEmpty();
  return emitRows(
      op,
      keyOf(kernel.types.input, kernel.types.sink, kernel.types.result, kernel.hasSink, kernel.nanForEmpty),
      kernel, {kernels::buildSoftmax, kernels::buildDeviceSoftmax});
}

LogicalResult Emitter::emit(ir::LogSumExpOp op) {
  kernels::SoftmaxKernel kernel = describe(op);
  return emitRows(op, keyOf(kernel.types.input, kernel.types.sink, kernel.types.result, kernel.hasSink),
                  kernel, {kernels::buildLogSumExp, kernels::buildDeviceLogSumExp});
}

LogicalResult Emitter::emitReduction(Operation *op, kernels::Reduction kind) {
  kernels::ReductionKernel kernel{
      .input = elementTypeOf(op->getOperand(0)), .result = elementTypeOf(op->getResult(0)), .kind = kind};
  return emitRows(op, keyOf(kernel.input, kernel.result), kernel,
                  {kernels::buildReduction, kernels::buildDeviceReduction});
}

LogicalResult Emitter::emit(ir::SumOp op) { return emitReduction(op, kernels::Reduction::Sum); }
LogicalResult Emitter::emit(ir::AmaxOp op) { return emitReduction(op, kernels::Reduction::Amax); }
LogicalResult Emitter::emit(ir::ArgmaxOp op) { return emitReduction(op, kernels::Reduction::Argmax); }

LogicalResult Emitter::emitNorm(Operation *op, double epsilon) {
  kernels::NormKernel kernel{.centred = isa<ir::LayerNormOp>(op),
                             .hasGain = op->getNumOperands() > 1,
                             .hasBias = op->getNumOperands() > 2,
                             .epsilon = epsilon};
  kernel.types.input = elementTypeOf(op->getOperand(0));
  kernel.types.result = elementTypeOf(op->getResult(0));
  if (kernel.hasGain)
    kernel.types.gain = elementTypeOf(op->getOperand(1));
  if (kernel.hasBias)
    kernel.types.bias = elementTypeOf(op->getOperand(2));
  return emitRows(op,
                  keyOf(kernel.types.input, kernel.types.gain, kernel.types.bias, kernel.types.result,
                        kernel.hasGain, kernel.hasBias, std::bit_cast<uint64_t>(epsilon)),
                  kernel, {kernels::buildNorm, kernels::buildDeviceNorm});
}

LogicalResult Emitter::emit(ir::LayerNormOp op) { return emitNorm(op, op.getEpsilon().convertToDouble()); }
LogicalResult Emitter::emit(ir::RmsNormOp op) { return emitNorm(op, op.getEpsilon().convertToDouble()); }

} // namespace heed
