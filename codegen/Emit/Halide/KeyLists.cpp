//===- KeyLists.cpp - The launch that lists visible keys ------------------===//

#include "KeyLists.h"

using namespace mlir;

namespace heed {
namespace {

/// On what the visible keys of a row depend beside its position.
struct Dependence {
  bool onBatch = false, onHead = false;
};

Dependence dependence(const Captures &captures, ArrayRef<unsigned> reads, const ScoreProgram &program) {
  Dependence depends{program.visibilityUses(ir::AttentionOp::batchAt),
                     program.visibilityUses(ir::AttentionOp::headAt)};
  for (unsigned number : reads) {
    depends.onBatch |= captures.list()[number].axes[0].has_value();
    depends.onHead |= captures.list()[number].axes[1].has_value();
  }
  return depends;
}

} // namespace

void KeyLists::addOperands(ScoreLaunch &launch, bool isOutput) const {
  program::Axis row{rowBlocks, one, 2, launch.queryGrid, /*byTile=*/true};
  launch.addTemporary("key list", list, 1, isOutput, {{keyBlocks, one, 3}, row});
  launch.addTemporary("key counts", counts, 1, isOutput, {{two, one, 3}, row});
}

FailureOr<KeyLists> KeyLists::add(Emitter &emitter, ir::AttentionOp op, const ScoreExtents &extents,
                                  const ScoreProgram &program, const Captures &captures,
                                  const Function &ofBlocks) {
  SmallVector<unsigned> reads = program.visibilityReads();
  Dependence depends = dependence(captures, reads, program);
  kernels::AttentionKernel kernel;
  kernel.program = program.visibility(reads);
  kernel.grouped = depends.onHead && extents.isGrouped();
  FailureOr<std::string> function =
      ofBlocks.add(kernel, keyOf(ofBlocks.queryBlock, kernel.grouped, program.text()));
  if (failed(function))
    return failure();

  ProgramBuilder &builder = emitter.builder;
  program::Program &table = builder.program;
  KeyLists lists;
  auto blocks = [&](ir::ExtentAttr extent, int block) {
    return table.extent(table.extents[builder.extent(extent)].ceilDivide(block));
  };
  lists.one = table.number(1);
  lists.two = table.number(2);
  lists.rowBlocks = blocks(extents.queries, ofBlocks.queryBlock);
  lists.keyBlocks = blocks(extents.keys, kernels::keyBlock);
  unsigned batch = depends.onBatch ? builder.extent(extents.batch) : lists.one;
  unsigned head = depends.onHead ? builder.extent(extents.head) : lists.one;
  lists.list = table.addTemporary(HEED_I32, {batch, head, lists.rowBlocks, lists.keyBlocks});
  lists.counts = table.addTemporary(HEED_I32, {batch, head, lists.rowBlocks, lists.two});

  ScoreLaunch launch(emitter, extents, std::move(*function), "key lists",
                     {.batch = depends.onBatch, .heads = depends.onHead});
  launch.addQueries(ofBlocks.queryBlock);
  launch.addScalars(program.readExtents());
  launch.addShape(op.getQuery());
  for (unsigned number : reads)
    launch.addCapture(number, captures.list()[number]);
  lists.addOperands(launch, /*isOutput=*/true);
  lists.launch = launch.take(scoreWork(builder, extents, ir::ExtentAttr::get(op.getContext(), 1)));
  return lists;
}

} // namespace heed
