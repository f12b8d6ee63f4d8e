#include "DeviceRowFold.h"

#include "Numerics.h"

#include <algorithm>

using namespace Halide;

namespace heed::kernels {

namespace {

/// Values that one thread folds in shared memory: a third of the barriers of halving, little waiting.
constexpr int sharedRadix = 8;

Values valuesOf(const FuncRef &reference, size_t outputs) {
  if (outputs == 1)
    return {Expr(reference)};
  Values values;
  for (size_t n = 0; n < outputs; ++n)
    values.push_back(reference[int(n)]);
  return values;
}

void define(Func &f, const std::vector<Var> &indices, const Values &values) {
  if (values.size() == 1)
    f(indices) = values.front();
  else
    f(indices) = Tuple(values);
}

} // namespace

DeviceRows::DeviceRows(const Type &input, const Type &result, RowResult shape, int gridRank,
                       const DeviceRowsSchedule &schedule)
    : schedule(schedule), type(input.is_float() ? accumulatorOf(input) : input), x(input, 2, gridRank, "x"),
      count(x.extent(0)), result(result), hasElements(shape == RowResult::Elements), gridRank(gridRank) {
  std::vector<Var> axes;
  for (int axis = 0; axis < rank(); ++axis)
    axes.emplace_back("axis_" + std::to_string(axis));
  // What lies in y comes as an update, since its axes are not those of the blocks.
  y(axes) = undef(result);
  for (int axis = 0; axis < rank(); ++axis)
    y.output_buffer().dim(axis).set_min(0);
  y.output_buffer().dim(0).set_stride(Expr());

  Expr blocks = rowBlocks();
  for (int axis = 0; axis < gridRank; ++axis)
    blocks *= gridExtent(axis);
  const Expr elements = hasElements ? (count + schedule.threads - 1) / schedule.threads : Expr(1);
  places = RDom(0, elements, 0, hasElements ? schedule.threads : 1, 0, schedule.rows, 0, blocks, "place");
}

Expr DeviceRows::rowBlocks() const { return (x.extent(1) + schedule.rows - 1) / schedule.rows; }

Expr DeviceRows::gridExtent(int axis) const {
  return y.output_buffer().dim(rank() - gridRank + axis).extent();
}

Expr DeviceRows::rowOf(const Expr &threadY, const Expr &block) const {
  return block % rowBlocks() * schedule.rows + threadY;
}

/// All blocks are along one axis, the only one that may be long everywhere: rows first, then the grid from
/// its innermost axis outwards.
GridIndices DeviceRows::tileOf(const Expr &block) const {
  GridIndices tile(gridRank);
  Expr others = block / rowBlocks();
  for (int axis = gridRank; axis-- > 0;) {
    tile[axis] = others % gridExtent(axis);
    others = others / gridExtent(axis);
  }
  return tile;
}

DeviceRows::Parameter DeviceRows::add(const Type &operandType, const std::string &name) {
  parameters.emplace_back(operandType, 1, gridRank, name);
  return {*this, parameters.back()};
}

Expr DeviceRows::Parameter::at(const Expr &index, const Expr &block) const {
  return cast(rows->type, operand({index}, rows->tileOf(block)));
}

Expr DeviceRows::folded(const Expr &index) const {
  // The last rows of a block may be beyond the end: they are folded for nobody.
  const Expr row = min(rowOf(threadY, block), x.extent(1) - 1);
  return cast(type, x({index, row}, tileOf(block)));
}

Expr DeviceRows::elementIndex() const {
  return unsafe_promise_clamped(places[0] * schedule.threads + places[1], 0, count - 1);
}

Expr DeviceRows::resultRow() const {
  return unsafe_promise_clamped(rowOf(places[2], places[3]), 0, x.extent(1) - 1);
}

Expr DeviceRows::element() const { return cast(type, x({elementIndex(), resultRow()}, tileOf(places[3]))); }

DeviceFunction DeviceRows::finish(const std::string &name, const Expr &value, Func ofRow) {
  places.where(rowOf(places[2], places[3]) < x.extent(1));
  if (hasElements)
    places.where(places[0] * schedule.threads + places[1] < count);
  std::vector<Expr> at = tileOf(places[3]);
  at.insert(at.begin(), resultRow());
  if (hasElements)
    at.insert(at.begin(), elementIndex());
  y(at) = cast(result, value);
  y.update()
      .allow_race_conditions()
      .reorder(places[0], places[1], places[2], places[3])
      .gpu_blocks(places[3])
      .gpu_threads(places[1], places[2])
      .never_partition_all();
  ofRow.compute_at(y, places[1]).never_partition_all();

  DeviceFunction function;
  function.name = name;
  std::vector<DeviceOperand> operands{x};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  for (const DeviceOperand &operand : operands) {
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
  const std::vector<Var> indices{rows.threadX, rows.threadY, rows.block};
  const size_t outputs = fold.identity.size();
  RDom elements(0, (rows.count + threads - 1) / threads, fold.name + "_element");
  const Expr next = elements * threads + rows.threadX;
  elements.where(next < rows.count);
  define(ofThread, indices, fold.identity);
  define(ofThread, indices,
         fold.combine(valuesOf(ofThread(indices), outputs),
                      fold.term(unsafe_promise_clamped(next, 0, rows.count - 1))));

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

Values DeviceRowFold::inStage() const {
  return valuesOf(inShared.back()(0, rows.threadY, rows.block), inShared.back().outputs());
}

void DeviceRowFold::schedule() {
  int threads = rows.schedule.threads;
  for (Func &stage : inShared) {
    stage.compute_at(rows.blocks())
        .store_in(MemoryType::GPUShared)
        .bound(rows.threadX, 0, threads)
        .bound(rows.threadY, 0, rows.schedule.rows)
        .bound_extent(rows.block, 1)
        .gpu_threads(rows.threadX, rows.threadY)
        .never_partition_all();
    threads = std::max(threads / sharedRadix, 1);
  }
  ofThread.compute_at(inShared.front(), rows.threadX);
  ofThread.never_partition_all();
  ofThread.update().never_partition_all();
}

} // namespace heed::kernels
