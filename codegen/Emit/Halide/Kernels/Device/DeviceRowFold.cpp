#include "DeviceRowFold.h"

#include "Numerics.h"

#include <algorithm>

using namespace Halide;

namespace heed::kernels {

namespace {

/// Values that one thread folds in shared memory: a third of the barriers of halving, little waiting.
constexpr int sharedRadix = 8;

Values valuesOf(const FuncRef &reference, int outputs) {
  if (outputs == 1)
    return {Expr(reference)};
  Values values;
  for (int n = 0; n < outputs; ++n)
    values.push_back(reference[n]);
  return values;
}

void define(Func &f, const std::vector<Var> &indices, const Values &values) {
  if (values.size() == 1)
    f(indices) = values.front();
  else
    f(indices) = Tuple(values);
}

} // namespace

DeviceRows::DeviceRows(const Type &input, int gridRank, const DeviceRowsSchedule &schedule,
                       const DeviceTarget &target)
    : schedule(schedule), api(target.api), type(input.is_float() ? accumulatorOf(input) : input),
      x(input, 2, gridRank, "x"), count(x.extent(0)) {
  for (int axis = 0; axis < gridRank; ++axis)
    grid.emplace_back("grid_" + std::to_string(axis));
}

Expr DeviceRows::elementAt(const Expr &index, const Expr &row) const {
  return cast(type, x({index, row}, GridIndices(grid.begin(), grid.end())));
}

Expr DeviceRows::folded(const Expr &index) const {
  // The last rows of a block may be beyond the end: they are folded for nobody.
  return elementAt(index, min(rowBlock * schedule.rows + threadY, max(x.extent(1), 1) - 1));
}

std::function<Expr(const Expr &)> DeviceRows::add(const Type &operandType, const std::string &name) {
  others.emplace_back(operandType, 1, int(grid.size()), name);
  return [operand = others.back(), tile = GridIndices(grid.begin(), grid.end()),
          type = type](const Expr &index) { return cast(type, operand({index}, tile)); };
}

std::vector<Var> DeviceRows::withGrid(std::vector<Var> vars) const {
  vars.insert(vars.end(), grid.begin(), grid.end());
  return vars;
}

DeviceFunction DeviceRows::finish(const std::string &name, Func y) {
  const std::vector<Var> indices = y.args();
  const bool hasElements = indices.size() == grid.size() + 2;
  for (size_t axis = 0; axis < indices.size(); ++axis)
    y.output_buffer().dim(int(axis)).set_min(0);
  y.output_buffer().dim(0).set_stride(Expr());

  Var blocks("blocks"), thread("thread"), rowThread("row_thread"), element("element");
  y.split(row, blocks, rowThread, schedule.rows, TailStrategy::GuardWithIf);
  if (hasElements)
    y.split(n, element, thread, schedule.threads, TailStrategy::GuardWithIf)
        .reorder({element, thread, rowThread, blocks});
  else
    y.split(rowThread, rowThread, thread, 1).reorder({thread, rowThread, blocks});
  for (size_t axis = grid.size(); axis-- > 0;) {
    Var fused("blocks_" + std::to_string(axis));
    y.fuse(blocks, grid[axis], fused);
    blocks = fused;
  }
  y.gpu_blocks(blocks, api).gpu_threads(thread, rowThread, api).never_partition_all();
  block = LoopLevel(y, blocks);
  this->thread = LoopLevel(y, thread);

  DeviceFunction function;
  function.name = name;
  function.arguments.push_back(x.image);
  function.operands.push_back(x.image.name());
  for (const DeviceOperand &operand : others) {
    function.arguments.push_back(operand.image);
    function.operands.push_back(operand.image.name());
  }
  function.operands.push_back(y.name());
  function.pipeline = Pipeline(y);
  return function;
}

DeviceRowFold::DeviceRowFold(const DeviceRows &rows, const Fold &fold)
    : rows(rows), ofThread(fold.name + "_of_thread") {
  const int threads = rows.schedule.threads;
  const std::vector<Var> indices = rows.withGrid({rows.threadX, rows.threadY, rows.rowBlock});
  const int outputs = int(fold.identity.size());
  RDom elements(0, (rows.count + threads - 1) / threads, fold.name + "_element");
  const Expr next = elements * threads + rows.threadX;
  elements.where(next < rows.count);
  const Expr index = unsafe_promise_clamped(next, 0, rows.count - 1);
  define(ofThread, indices, fold.identity);
  define(ofThread, indices, fold.combine(valuesOf(ofThread(indices), outputs), fold.term(index)));

  Func first(fold.name + "_of_threads");
  define(first, indices, valuesOf(ofThread(indices), outputs));
  inShared.push_back(first);
  for (int left = threads; left > 1;) {
    const int step = std::min(left, sharedRadix), next = left / step;
    std::vector<Expr> from(indices.begin(), indices.end());
    Values values = valuesOf(inShared.back()(from), outputs);
    for (int part = 1; part < step; ++part) {
      from[0] = rows.threadX + part * next;
      values = fold.combine(values, valuesOf(inShared.back()(from), outputs));
    }
    Func folded(fold.name + "_" + std::to_string(next));
    define(folded, indices, values);
    inShared.push_back(folded);
    left = next;
  }
}

Values DeviceRowFold::at(const Expr &threadY, const Expr &rowBlock) const {
  std::vector<Expr> indices{0, threadY, rowBlock};
  for (const Var &axis : rows.withGrid({}))
    indices.push_back(axis);
  return valuesOf(inShared.back()(indices), inShared.back().outputs());
}

void DeviceRowFold::schedule() {
  int threads = rows.schedule.threads;
  for (Func &stage : inShared) {
    stage.compute_at(rows.block)
        .store_in(MemoryType::GPUShared)
        .bound(rows.threadX, 0, threads)
        .bound(rows.threadY, 0, rows.schedule.rows)
        .gpu_threads(rows.threadX, rows.threadY, rows.api)
        .never_partition_all();
    threads = std::max(threads / sharedRadix, 1);
  }
  ofThread.compute_at(inShared.front(), rows.threadX);
  ofThread.never_partition_all();
  ofThread.update().never_partition_all();
}

} // namespace heed::kernels
