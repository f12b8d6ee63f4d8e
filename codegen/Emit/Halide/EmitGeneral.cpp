//===- EmitGeneral.cpp - matmul and softmax: the general path -------------===//

#include "Emitter.h"
#include "Kernels/General.h"

using namespace mlir;

namespace heed {
namespace {

/// An axis counted from the right of a value's type, if it has that many.
std::optional<int64_t> fromRight(Value value, int64_t axis) { return leadingAxis(value, 0, axis); }

ir::ExtentAttr volume(Value value, int64_t operations = 1) {
  auto product = ir::ExtentAttr::get(value.getContext(), operations);
  for (ir::ExtentAttr axis : ir::tensorType(value).getShape())
    product = product.multiply(axis);
  return product;
}

Halide::Type elementOf(Value value) { return halideType(ir::tensorType(value).getElementType()); }

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

} // namespace

LogicalResult Emitter::emit(ir::MatmulOp op) {
  const MatmulSchedule &schedule = this->schedule<MatmulSchedule>();
  kernels::MatmulKernel kernel{.element = elementOf(op.getResult())};
  FailureOr<std::string> function = tileFunction(op, "", keyOf(kernel.element, printSchedule("", schedule)),
                                                 [&](const std::string &symbol) {
                                                   kernel.name = symbol;
                                                   return kernels::buildMatmul(kernel, schedule, target);
                                                 });
  if (failed(function))
    return failure();

  ir::TensorType type = ir::tensorType(op.getResult());
  if (type.getRank() > HEED_MAX_GRID)
    return op.emitError() << "found a product of rank " << type.getRank()
                          << ", at most 5 axes are needed; merge leading axes";
  program::Launch launch = this->launch(*function, "");
  Leading leading{{}, {}, 2};
  for (int64_t axis = 0; axis < type.getRank() - 2; ++axis) {
    leading.grid.insert(leading.grid.begin(), addGridAxis(launch, type.getExtent(axis)));
    leading.extents.insert(leading.extents.begin(), type.getExtent(axis));
  }
  int rows = addGridAxis(launch, type.getExtent(-2), schedule.rowBlock);
  int columns = addGridAxis(launch, type.getExtent(-1), schedule.columnBlock);
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

namespace {

/// The launch that softmax and log-sum-exp share: rows of x, and a result that has the last axis or not.
class RowEmitter {
public:
  RowEmitter(Emitter &emitter, Value input, Value sink, Value result)
      : emitter(emitter), input(input), sink(sink), result(result), type(ir::tensorType(input)) {}

  program::Launch emit(std::string function, int rowBlock) {
    program::Launch launch = emitter.launch(std::move(function), "");
    int64_t rank = type.getRank();
    auto one = ir::ExtentAttr::get(input.getContext(), 1);
    SmallVector<AxisUse> rows; // innermost first
    for (int64_t axis = 0; axis < rank - 2; ++axis)
      rows.insert(rows.begin(), {type.getExtent(axis), axis,
                                 emitter.addGridAxis(launch, type.getExtent(axis), 1, /*joinsNext=*/!sink)});
    ir::ExtentAttr queries = rank > 1 ? type.getExtent(-2) : one;
    rows.insert(rows.begin(), {queries, rank > 1 ? std::optional(rank - 2) : std::nullopt,
                               emitter.addGridAxis(launch, queries, rowBlock)});
    SmallVector<AxisUse> whole{{type.getExtent(-1), rank - 1}};
    llvm::append_range(whole, rows);
    bool keepsAxis = ir::tensorType(result).getRank() == rank;
    ProgramBuilder &builder = emitter.builder;
    launch.operands.push_back(builder.operand("x", input, whole, 2));
    if (sink) // scores are (b, h, q, k)
      launch.operands.push_back(builder.operand("sink", sink, {{one, {}}, {type.getExtent(1), 0, 1}}, 1));
    launch.operands.push_back(keepsAxis ? builder.operand("y", result, whole, 2, /*isOutput=*/true)
                                        : builder.operand("y", result, rows, 1, /*isOutput=*/true));
    launch.work = builder.extent(volume(input, 8));
    return launch;
  }

private:
  Emitter &emitter;
  Value input, sink, result;
  ir::TensorType type;
};

} // namespace

LogicalResult Emitter::emit(ir::SoftmaxOp op) {
  const SoftmaxSchedule &schedule = this->schedule<SoftmaxSchedule>();
  kernels::SoftmaxKernel kernel{
      .element = elementOf(op.getInput()), .hasSink = bool(op.getSink()), .nanForEmpty = op.getNanForEmpty()};
  FailureOr<std::string> function = tileFunction(
      op, "", keyOf(kernel.element, kernel.hasSink, kernel.nanForEmpty, printSchedule("", schedule)),
      [&](const std::string &symbol) {
        kernel.name = symbol;
        return kernels::buildSoftmax(kernel, schedule, target);
      });
  if (failed(function))
    return failure();
  addStep(RowEmitter(*this, op.getInput(), op.getSink(), op.getResult()).emit(*function, schedule.rowBlock));
  return success();
}

LogicalResult Emitter::emit(ir::LogSumExpOp op) {
  const SoftmaxSchedule &schedule = this->schedule<SoftmaxSchedule>();
  kernels::SoftmaxKernel kernel{.element = elementOf(op.getInput()), .hasSink = bool(op.getSink())};
  FailureOr<std::string> function =
      tileFunction(op, "", keyOf(kernel.element, kernel.hasSink, printSchedule("", schedule)),
                   [&](const std::string &symbol) {
                     kernel.name = symbol;
                     return kernels::buildLogSumExp(kernel, schedule, target);
                   });
  if (failed(function))
    return failure();
  addStep(RowEmitter(*this, op.getInput(), op.getSink(), op.getResult()).emit(*function, schedule.rowBlock));
  return success();
}

} // namespace heed
