//===- ValuePairs.cpp - The launch that pairs values ----------------------===//

#include "ValuePairs.h"

using namespace mlir;

namespace heed {

bool ValuePairs::areTaken(ir::AttentionOp op, const kernels::CpuTarget &target) {
  if (!target.dotsBf16 || !op.getValue() || !op.getOutput())
    return false;
  const Halide::Type bf16 = Halide::BFloat(16);
  const std::optional<int64_t> columns = staticValue(ir::tensorType(op.getValue()).getExtent(-1));
  return elementTypeOf(op.getValue()) == bf16 && elementTypeOf(op.getOutput()) == bf16 && columns &&
         *columns % kernels::pairColumns == 0;
}

FailureOr<ValuePairs> ValuePairs::add(Emitter &emitter, ir::AttentionOp op, const ScoreExtents &extents,
                                      int64_t fewRows) {
  constexpr int pairsOfTile = 128;
  Value value = op.getValue();
  const int64_t rank = ir::tensorType(value).getRank();
  const ir::ExtentAttr depth = ir::tensorType(value).getExtent(-1);
  FailureOr<std::string> function =
      emitter.tileFunction(op, "value_pairs", keyOf(depth.str()), [&](const std::string &symbol) {
        return kernels::buildValuePairs(symbol, *staticValue(depth));
      });
  if (failed(function))
    return failure();

  ProgramBuilder &builder = emitter.builder;
  program::Program &table = builder.program;
  const unsigned one = table.number(1), columns = table.number(kernels::pairColumns),
                 strips = table.number(*staticValue(depth) / kernels::pairColumns),
                 batch = builder.extent(extents.batch), head = builder.extent(extents.keyHead),
                 pairs = table.extent(table.extents[builder.extent(extents.keys)].ceilDivide(2));
  ValuePairs result;
  result.buffer = table.addTemporary(HEED_I32, {batch, head, strips, pairs, columns});
  table.temporaries.back().limited = builder.extent(extents.queries);
  table.temporaries.back().moreThan = fewRows;
  result.axes = {{columns, one, 4}, {pairs, one, 3}, {strips, one, 2}, {head, one, 1, 1}, {batch, one, 0, 0}};

  program::Launch &launch = result.launch;
  launch = emitter.launch(std::move(*function), "value pairs");
  launch.grid = {{batch}, {head}, {pairs, false, pairsOfTile}};
  launch.scalars.push_back({HEED_TILE_START, 2});
  launch.operands.push_back(
      builder.operand("v", value,
                      {{depth, rank - 1},
                       {extents.keys, rank - 2},
                       {extents.keyHead, extents.hasHead ? leadingAxis(value, 2, 0) : std::nullopt, 1},
                       {extents.batch, leadingAxis(value, 2, extents.hasHead), 0}},
                      2, false));
  launch.operands.push_back({"value pairs", result.buffer, 3, true, result.axes});
  launch.operands.back().axes[1].grid = 2;
  launch.work = table.product({batch, head, strips, pairs, columns});
  return result;
}

} // namespace heed
