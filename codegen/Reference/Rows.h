//===- Rows.h - Operations along the last axis ------------------*- C++ -*-===//
///
/// \file
/// Reductions and norms of rows. A kernel adds in float at least, so that only its last roundings are those
/// of narrower elements; u is the unit roundoff of the result's type.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_ROWS_H
#define HEED_CODEGEN_REFERENCE_ROWS_H

#include "Reference/Tensor.h"

namespace heed::reference {

/// (…, k) -> (…).
Tensor sum(const Tensor &operand, const Shape &shape, double u);

/// (…, k) -> (…); NaN if there is one, `empty` without elements.
Tensor amax(const Tensor &operand, const Shape &shape, double empty);

/// (…, k) -> (…), the first of equals or the first NaN. Where rounding decides, the bound reaches all that
/// may be largest.
Tensor argmax(const Tensor &operand, const Shape &shape);

/// (x - mean) / sqrt(variance + epsilon) · gain + bias, in two passes. `gain` and `bias` may be null.
Tensor layerNorm(const Tensor &operand, const Tensor *gain, const Tensor *bias, double epsilon, double u);

/// x / sqrt(mean of the squares + epsilon) · gain. `gain` may be null.
Tensor rmsNorm(const Tensor &operand, const Tensor *gain, double epsilon, double u);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_ROWS_H
