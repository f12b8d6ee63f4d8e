//===- Tensor.h - A dense tensor of reference numbers -----------*- C++ -*-===//
///
/// \file
/// Tensors of the reference evaluator: row-major, one Number per element, whatever the element type. 64-bit
/// integers beyond 2^53 lose their low bits there.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_TENSOR_H
#define HEED_CODEGEN_REFERENCE_TENSOR_H

#include "Reference/Number.h"
#include "Reference/Symbols.h"

namespace heed::reference {

struct Tensor {
  Shape shape;
  std::vector<Number> elements;
  std::vector<std::int64_t> integers = {}; ///< the same exactly, in arguments of 64-bit integers

  std::int64_t integer(std::size_t i) const;
};

/// Product of the extents; 1 for rank 0.
std::int64_t elementCount(const Shape &shape);

/// A tensor of zeros.
Tensor zeros(const Shape &shape);

/// Step in a tensor of shape `shape` for one step along each axis of `result`, to which it is broadcast from
/// the right: 0 along broadcast axes.
Shape broadcastStrides(const Shape &shape, const Shape &result);

/// Advances a multi-index in row-major order; false after the last one.
bool advance(Shape &index, const Shape &shape);

/// Σ index · stride.
std::int64_t offsetOf(const Shape &index, const Shape &strides);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_TENSOR_H
