#include "DeviceEpilogue.h"
#include "Linear.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class DeviceLinear {
public:
  DeviceLinear(const LinearKernel &kernel, int gridRank)
      : kernel(kernel), type(accumulatorOf(kernel.types.x)), gridRank(gridRank),
        x(kernel.types.x, 2, gridRank, "x"), w(kernel.types.w, kernel.headDepth ? 3 : 2, gridRank, "w"),
        bias(kernel.types.bias, kernel.headDepth ? 2 : 1, gridRank, "bias"),
        epilogue(kernel.epilogue, gridRank) {
    rows = x.extent(1);
    columns = kernel.headDepth ? w.extent(2) * int(*kernel.headDepth) : w.extent(1);
    inputs = kernel.inputs ? Expr(int32_t(*kernel.inputs)) : x.extent(0);
  }

  DeviceFunction build(const DeviceTile &tile, const DeviceTarget &target) const;

private:
  /// The axes of W, b and y along columns.
  std::vector<Expr> columnAxes(const Expr &column) const {
    if (!kernel.headDepth)
      return {column};
    const int depth = int(*kernel.headDepth);
    return {column % depth, column / depth};
  }
  DeviceFactor input() const;
  DeviceFactor weight() const;
  DeviceResult result() const;

  const LinearKernel &kernel;
  const Type type; ///< of the accumulator
  const int gridRank;
  const DeviceOperand x, w, bias;
  const DeviceEpilogue epilogue;
  Expr rows, columns, inputs;
};

DeviceFactor DeviceLinear::input() const {
  return {[this](const Expr &input, const Expr &row, const GridIndices &tile) {
            return cast(type, x({input, row}, tile));
          },
          rows};
}

DeviceFactor DeviceLinear::weight() const {
  return {[this](const Expr &input, const Expr &column, const GridIndices &tile) {
            std::vector<Expr> at = columnAxes(column);
            at.insert(at.begin(), input);
            return cast(type, w(at, tile));
          },
          columns};
}

DeviceResult DeviceLinear::result() const {
  DeviceResult result{kernel.types.output, kernel.headDepth ? 3 : 2, {}, {}};
  result.place = [this](const Expr &column, const Expr &row) {
    std::vector<Expr> at = columnAxes(column);
    at.push_back(row);
    return at;
  };
  result.value = [this](const Expr &sum, const Expr &column, const Expr &row, const GridIndices &tile) {
    std::vector<Expr> within = {column, row};
    within.insert(within.end(), tile.rbegin() + 1, tile.rend() - 1);
    const Expr biased = kernel.bias ? sum + cast(type, bias(columnAxes(column), tile)) : sum;
    return epilogue.apply(biased, within, tile);
  };
  return result;
}

DeviceFunction DeviceLinear::build(const DeviceTile &tile, const DeviceTarget &target) const {
  std::vector<bool> walked(gridRank, true);
  walked.front() = walked.back() = false;
  const DeviceProduct product =
      multiply({type, inputs, kernel.inputs, walked}, input(), weight(), result(), tile, target);
  std::vector<ImageParam> operands = {x.image, w.image};
  if (kernel.bias)
    operands.push_back(bias.image);
  for (const DeviceOperand &operand : epilogue.operands)
    operands.push_back(operand.image);
  DeviceFunction function{kernel.name, Pipeline(product.output), epilogue.arguments(), {}, {product.sums}};
  for (const ImageParam &operand : operands) {
    function.arguments.push_back(operand);
    function.operands.push_back(operand.name());
  }
  function.operands.push_back(product.output.name());
  return function;
}

} // namespace

DeviceFunction buildDeviceLinear(const LinearKernel &kernel, int gridRank,
                                 const DeviceLinearSchedule &schedule, const DeviceTarget &target) {
  return DeviceLinear(kernel, gridRank).build(schedule.block, target);
}

} // namespace heed::kernels
