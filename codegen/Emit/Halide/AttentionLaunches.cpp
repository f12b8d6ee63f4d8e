//===- AttentionLaunches.cpp - What an attention's launches share ---------===//

#include "AttentionLaunches.h"

using namespace mlir;

namespace heed {

AttentionLaunches::AttentionLaunches(Emitter &emitter, ir::AttentionOp op, const Captures &captures,
                                     const ScoreProgram &program, Value zeroProbability)
    : emitter(emitter), builder(emitter.builder), op(op), captures(captures), extents(op), program(program),
      zeroProbability(zeroProbability) {
  kernel.types.q = elementTypeOf(op.getQuery());
  kernel.types.k = elementTypeOf(op.getKey());
  for (auto [value, type] :
       {std::pair(Value(op.getValue()), &kernel.types.v), std::pair(Value(op.getSink()), &kernel.types.sink),
        std::pair(Value(op.getOutput()), &kernel.types.output)})
    if (value)
      *type = elementTypeOf(value);
  kernel.depth = staticValue(extents.depth);
  if (op.getValue())
    kernel.valueDepth = staticValue(valueDepth = ir::tensorType(op.getValue()).getExtent(-1));
  kernel.scale = op.getScale().convertToDouble();
  kernel.program = program.functions(zeroProbability);
  kernel.grouped = extents.isGrouped();
  kernel.hasValue = bool(op.getValue());
  kernel.statistics = bool(op.getLargest());
  kernel.logSumExp = bool(op.getLogSumExp());
  kernel.hasSink = bool(op.getSink());
  kernel.unnormalized = op.getUnnormalized();
  kernel.nanForEmpty = op.getNanForEmpty();
  key = keyOf(kernel.types.q, kernel.types.k, kernel.types.v, kernel.types.sink, kernel.types.output,
              extents.depth.str(), valueDepth ? valueDepth.str() : "", kernel.scale, kernel.grouped,
              kernel.hasValue, kernel.statistics, kernel.logSumExp, kernel.hasSink, kernel.unnormalized,
              kernel.nanForEmpty, bool(zeroProbability), program.text());
  if (zeroProbability)
    suffix = "_kept";
}

void AttentionLaunches::addInputs(ScoreLaunch &launch, bool withValue) {
  launch.addQueryRows("q", op.getQuery(), extents.depth);
  launch.addKeyRows("k", op.getKey(), extents.depth);
  if (op.getValue() && withValue)
    launch.addKeyRows("v", op.getValue(), valueDepth);
  for (auto [number, capture] : llvm::enumerate(captures.list()))
    launch.addCapture(number, capture);
}

void AttentionLaunches::addOutput(ScoreLaunch &launch) {
  if (Value output = op.getOutput())
    launch.addQueryRows("y", output, valueDepth, /*isOutput=*/true);
}

void AttentionLaunches::addStatistics(ScoreLaunch &launch) {
  for (auto [name, value] : {std::pair<StringRef, Value>{"largest", op.getLargest()},
                             {"sum", op.getSum()},
                             {"log-sum-exp", op.getLogSumExp()}})
    if (value)
      launch.addStatistic(name, value, /*isOutput=*/true);
}

void AttentionLaunches::setRowsToMembers() {
  kernel.memberRows = extents.isGrouped() && !program.indexesByHead();
  kernel.program = program.functions(zeroProbability, kernel.memberRows);
}

unsigned AttentionLaunches::partsOf(int keys) const {
  program::Program &table = builder.program;
  return table.extent(table.extents[builder.extent(extents.keys)].ceilDivide(keys));
}

unsigned AttentionLaunches::addTemporary(unsigned parts, int rows, ArrayRef<ir::ExtentAttr> inner) {
  unsigned queries = builder.extent(extents.queries);
  SmallVector<unsigned> axes{builder.extent(extents.batch), builder.extent(extents.head), parts, queries};
  for (ir::ExtentAttr axis : inner)
    axes.push_back(builder.extent(axis));
  heed_dtype type = kernel.types.q == Halide::Float(64) ? HEED_F64 : HEED_F32;
  unsigned buffer = builder.program.addTemporary(type, axes);
  builder.program.temporaries.back().limited = queries;
  builder.program.temporaries.back().atMost = rows;
  return buffer;
}

unsigned AttentionLaunches::work() {
  auto two = ir::ExtentAttr::get(op.getContext(), 2);
  if (!op.getValue())
    return scoreWork(builder, extents, two.multiply(extents.depth));
  if (kernel.depth && kernel.valueDepth)
    return scoreWork(builder, extents,
                     ir::ExtentAttr::get(op.getContext(), 2 * (*kernel.depth + *kernel.valueDepth)));
  return scoreWork(builder, extents, two.multiply(two).multiply(extents.depth));
}

unsigned AttentionLaunches::mergeWork() {
  unsigned perRow = op.getValue() ? builder.extent(valueDepth) : builder.program.number(1);
  return builder.program.product(
      {builder.extent(extents.batch), builder.extent(extents.head), builder.extent(extents.queries), perRow});
}

bool givesScoresTheirLargest(ir::AttentionOp op) {
  return op.getLargest() &&
         llvm::any_of(op.getLargest().getUsers(), [](Operation *user) { return isa<ir::ScoresOp>(user); });
}

} // namespace heed
