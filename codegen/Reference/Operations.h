//===- Operations.h - Tensor operations of the evaluator --------*- C++ -*-===//
///
/// \file
/// One function per group of graph operations. Shapes have been checked by the DSL; u is the unit roundoff of
/// what a kernel computes the result with.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_OPERATIONS_H
#define HEED_CODEGEN_REFERENCE_OPERATIONS_H

#include "Reference/Tensor.h"

namespace heed::reference {

/// (…, m, k) · (…, k, n) -> (…, m, n), leading axes broadcast.
Tensor matmul(const Tensor &left, const Tensor &right, const Shape &shape, double u);

/// (…, in), (out, in)[, (out)] -> (…, out). `bias` may be null.
Tensor linear(const Tensor &input, const Tensor &weight, const Tensor *bias, const Shape &shape, double u);

/// Result axis i is operand axis permutation[i].
Tensor permute(const Tensor &operand, const std::vector<int> &permutation);

/// (b, s, h·d) -> (b, h, s, d), and back.
Tensor splitHeads(const Tensor &operand, const Shape &shape);
Tensor mergeHeads(const Tensor &operand, const Shape &shape);

/// The axis shortened to the shape's extent, from `start` on.
Tensor slice(const Tensor &operand, int axis, std::int64_t start, const Shape &shape);

/// The cache with the rows from `position` on along the axis, where they fit.
Tensor append(const Tensor &cache, const Tensor &rows, std::int64_t position, int axis);

/// (b, h, s, d) -> (b, h·g, s, d), each head g times in a row.
Tensor repeatHeads(const Tensor &operand, const Shape &shape);

/// x / (1 - p) where `site`'s number at the element (row-major) is >= p in float, else 0; p = 0 changes
/// nothing. Whether NaN outlives being dropped is left open: a kernel may divide by its row's sum afterwards.
Tensor dropout(const Tensor &operand, Number probability, std::int64_t seed, std::int32_t site, double u);

/// Element by element, operands broadcast from the right to `shape`.
Tensor elementwise(const spec::node &node, std::span<const Tensor *const> operands, const Shape &shape);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_OPERATIONS_H
