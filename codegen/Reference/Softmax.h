//===- Softmax.h - Rows of scores, normalised -------------------*- C++ -*-===//
///
/// \file
/// Softmax and log-sum-exp over the last axis. A score that is certainly -infinity takes no part. `sink`,
/// which may be null, holds one more logit per head for scores (b, h, q, k), which only the denominator has.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_SOFTMAX_H
#define HEED_CODEGEN_REFERENCE_SOFTMAX_H

#include "Reference/Tensor.h"

namespace heed::reference {

/// (…, k) -> (…, k). A row without a visible score gives zeros, or NaN when `nanForEmpty` and there is no
/// sink.
Tensor softmax(const Tensor &scores, const Tensor *sink, bool nanForEmpty, double u);

/// (…, k) -> (…), -infinity for a row without a visible score and sink.
Tensor logSumExp(const Tensor &scores, const Tensor *sink, const Shape &shape, double u);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_SOFTMAX_H
