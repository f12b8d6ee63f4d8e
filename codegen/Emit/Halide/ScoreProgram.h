//===- ScoreProgram.h - An attention's region for its kernel ----*- C++ -*-===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H
#define HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H

#include "Captures.h"
#include "Kernels/Attention.h"

namespace heed {

/// The region as functions that build expressions. `extents` receives the extents it reads, in the order of
/// the tile function's scalars. The functions refer to the operation, to `captures` and to `extents`.
kernels::ScoreProgram scoreProgram(ir::AttentionOp op, const Captures &captures,
                                   llvm::SmallVectorImpl<ir::ExtentAttr> &extents);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_SCOREPROGRAM_H
