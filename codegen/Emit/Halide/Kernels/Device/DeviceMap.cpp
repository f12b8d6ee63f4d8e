#include "Map.h"

#include "Table.h"

#include <algorithm>

using namespace Halide;

namespace heed::kernels {

namespace {

class DeviceMap {
public:
  DeviceMap(const MapKernel &kernel, int resultRank, int gridRank)
      : kernel(kernel), outer(std::max(resultRank - kernel.rank, 0)), gridRank(gridRank) {
    for (int axis = 0; axis < kernel.rank; ++axis)
      axes.emplace_back("axis_" + std::to_string(axis));
    for (int axis = 0; axis < gridRank; ++axis)
      grid.emplace_back("grid_" + std::to_string(axis));
  }

  DeviceFunction build(const DeviceMapSchedule &schedule, const DeviceTarget &target) {
    DeviceFunction function;
    function.name = kernel.name;
    std::vector<Expr> scalars;
    for (int n = 0; n < kernel.scalars; ++n) {
      const Param<int32_t> scalar("scalar_" + std::to_string(n));
      scalars.push_back(scalar);
      function.arguments.push_back(scalar);
    }
    for (size_t n = 0; n < kernel.operands.size(); ++n) {
      operands.emplace_back(kernel.operands[n], isTable(n) ? kernel.tables[n] : kernel.rank, gridRank,
                            "operand_" + std::to_string(n));
      function.arguments.push_back(operands.back().image);
      function.operands.push_back(operands.back().image.name());
    }
    std::vector<Var> indices = axes;
    indices.insert(indices.end(), grid.begin(), grid.end());
    y(indices) = cast(kernel.result, value(scalars));
    for (size_t axis = 0; axis < indices.size(); ++axis)
      y.output_buffer().dim(int(axis)).set_min(0);
    y.output_buffer().dim(0).set_stride(Expr());
    function.operands.push_back(y.name());
    this->schedule(schedule, target);
    function.pipeline = Pipeline(y);
    return function;
  }

private:
  bool isTable(size_t operand) const { return operand < kernel.tables.size() && kernel.tables[operand] >= 0; }

  Expr value(const std::vector<Expr> &scalars) const {
    const GridIndices tile(grid.begin(), grid.end());
    const std::vector<Expr> here(axes.begin(), axes.end());
    std::vector<Expr> index = here;
    for (int axis = outer; axis-- > 0;)
      index.push_back(grid[axis]);
    const OperandAt element = [&](size_t n, const std::vector<Expr> &at) -> Expr {
      if (!isTable(n))
        return operands[n](here, tile);
      return operands[n](tableIndices(at, [&](int axis) { return operands[n].extent(axis); }), tile);
    };
    return strict_float(kernel.apply(element, index, scalars));
  }

  /// All that is beyond a block of threads is one axis of blocks, the only one that may be long everywhere.
  void schedule(const DeviceMapSchedule &schedule, const DeviceTarget &target) {
    Var block("block"), threadX("thread_x"), threadY("thread_y"), element("element");
    y.split(axes[0], block, threadX, schedule.threadsX * schedule.elements, TailStrategy::GuardWithIf)
        .split(threadX, element, threadX, schedule.threadsX);
    std::vector<VarOrRVar> order{element, threadX};
    std::vector<Var> blocks{block};
    if (kernel.rank > 1) {
      Var rows("rows");
      y.split(axes[1], rows, threadY, schedule.threadsY, TailStrategy::GuardWithIf);
      order.push_back(threadY);
      blocks.push_back(rows);
    }
    if (kernel.rank > 2)
      blocks.insert(blocks.end(), axes.begin() + 2, axes.end());
    blocks.insert(blocks.end(), grid.rbegin(), grid.rend());
    order.insert(order.end(), blocks.begin(), blocks.end());
    y.reorder(order);
    Var all = blocks.front();
    for (size_t n = 1; n < blocks.size(); ++n) {
      Var fused("blocks_" + std::to_string(n));
      y.fuse(all, blocks[n], fused);
      all = fused;
    }
    y.gpu_blocks(all, target.api).gpu_threads(threadX, target.api);
    if (kernel.rank > 1)
      y.gpu_threads(threadY, target.api);
    y.never_partition_all();
  }

  const MapKernel &kernel;
  const int outer, gridRank;
  std::vector<Var> axes, grid;
  std::vector<DeviceOperand> operands;
  Func y{"y"};
};

} // namespace

DeviceFunction buildDeviceMap(const MapKernel &kernel, int resultRank, int gridRank,
                              const DeviceMapSchedule &schedule, const DeviceTarget &target) {
  return DeviceMap(kernel, resultRank, gridRank).build(schedule, target);
}

} // namespace heed::kernels
