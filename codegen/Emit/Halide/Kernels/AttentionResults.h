//===- AttentionResults.h - What is known of a row of scores ----*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_ATTENTIONRESULTS_H
#define HEED_CODEGEN_KERNELS_ATTENTIONRESULTS_H

#include "AttentionOperands.h"

namespace heed::kernels {

/// Of a row before any key: of the sink, if there is one. A sink of -infinity is none.
RowState initialState(const AttentionOperands &in, const Halide::Expr &row);

/// The results `largest`, `sum` and `log_sum_exp` that the kernel produces, as Funcs of a row; `finalState`
/// is a row's after all keys.
std::vector<Halide::Func> defineStatistics(const AttentionOperands &in, const Halide::Expr &rows,
                                           const std::function<RowState(const Halide::Expr &row)> &finalState,
                                           int lanes);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ATTENTIONRESULTS_H
