//===- AttentionLaunches.h - What an attention's launches share -*- C++ -*-===//
///
/// \file
/// The kernel that an operation describes, and its operands, for launches on the CPU and on devices.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_ATTENTIONLAUNCHES_H
#define HEED_CODEGEN_EMIT_HALIDE_ATTENTIONLAUNCHES_H

#include "ScoreLaunch.h"

namespace heed {

class AttentionLaunches {
public:
  /// `zeroProbability` is a dropout's probability that is known to be 0.
  AttentionLaunches(Emitter &emitter, ir::AttentionOp op, const Captures &captures,
                    const ScoreProgram &program, mlir::Value zeroProbability);

protected:
  /// q, k, v and captures.
  void addInputs(ScoreLaunch &launch, bool withValue = true);
  void addOutput(ScoreLaunch &launch);
  void addStatistics(ScoreLaunch &launch);

  /// Where rows of a tile may be members of a group, they are from now on.
  void setRowsToMembers();

  /// A temporary for what launches leave of parts of the keys, of up to `rows` queries: (batch, heads, parts,
  /// queries, inner…).
  unsigned addTemporary(unsigned parts, int rows, llvm::ArrayRef<ir::ExtentAttr> inner);
  unsigned partsOf(int keys) const; ///< an extent

  unsigned work();
  unsigned mergeWork(); ///< as if there were one part

  Emitter &emitter;
  ProgramBuilder &builder;
  ir::AttentionOp op;
  const Captures &captures;
  const ScoreExtents extents;
  ir::ExtentAttr valueDepth; ///< null without a value
  const ScoreProgram &program;
  const mlir::Value zeroProbability;
  kernels::AttentionKernel kernel;
  std::string key; ///< says all of the kernel
  std::string suffix;
};

/// Whether weights are computed again from the largest score. It must then be one of those scores to the bit:
/// of large scores the last bit decides. Where chunks of keys are merged, scores may be summed in another
/// order than in heed.scores.
bool givesScoresTheirLargest(ir::AttentionOp op);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_ATTENTIONLAUNCHES_H
