//===- ValuePairs.h - The launch that pairs values --------------*- C++ -*-===//
///
/// \file
/// Dot products of bf16 take two keys at once, and want both values of a column in one 32-bit element. A
/// launch in front of the attention brings them there, once for all query rows of a head of keys: else each
/// block of rows would do it again.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_VALUEPAIRS_H
#define HEED_CODEGEN_EMIT_HALIDE_VALUEPAIRS_H

#include "ScoreLaunch.h"

namespace heed {

class ValuePairs {
public:
  /// So many blocks of rows pair their values themselves no slower, without memory for all of them.
  static constexpr int fewBlocks = 4;

  /// Whether blocks of query rows take pairs: where they take dot products with values whose columns are
  /// whole strips.
  static bool areTaken(ir::AttentionOp op, const kernels::CpuTarget &target);

  /// Adds the temporary, which is there when there are more than `fewRows` queries, and the function.
  static mlir::FailureOr<ValuePairs> add(Emitter &emitter, ir::AttentionOp op, const ScoreExtents &extents,
                                         int64_t fewRows);

  /// The pairs, as the attention reads them.
  void addOperand(ScoreLaunch &attention) const { attention.addKeyTemporary("value pairs", buffer, axes); }

  program::Launch launch;

private:
  unsigned buffer;                       ///< a temporary (batch, head of keys, strip, pair, column)
  llvm::SmallVector<program::Axis> axes; ///< innermost first
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_VALUEPAIRS_H
