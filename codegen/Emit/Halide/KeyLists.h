//===- KeyLists.h - The launch that lists visible keys ----------*- C++ -*-===//
///
/// \file
/// Where only elements of tensors tell which keys a block of query rows sees, or the keys have gaps, a launch
/// in front of the attention tests the mask once per block of keys and lists the blocks with a visible key.
/// It runs once for all heads, or all batch entries, that share the mask.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_KEYLISTS_H
#define HEED_CODEGEN_EMIT_HALIDE_KEYLISTS_H

#include "ScoreLaunch.h"

namespace heed {

class KeyLists {
public:
  /// The function for a kernel that lists the keys of `queryBlock` rows.
  struct Function {
    int queryBlock;
    std::function<mlir::FailureOr<std::string>(kernels::AttentionKernel &kernel, const std::string &key)> add;
  };
  /// Adds the temporaries and the function.
  static mlir::FailureOr<KeyLists> add(Emitter &emitter, ir::AttentionOp op, const ScoreExtents &extents,
                                       const ScoreProgram &program, const Captures &captures,
                                       const Function &function);

  /// list and counts, as the attention reads them.
  void addOperands(ScoreLaunch &attention) const { addOperands(attention, /*isOutput=*/false); }

  program::Launch launch;

private:
  void addOperands(ScoreLaunch &launch, bool isOutput) const;

  unsigned list, counts;              ///< temporaries
  unsigned rowBlocks, keyBlocks, two; ///< extents
  unsigned one;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_KEYLISTS_H
