//===- Rounding.h - What storing 16 bits does to a number -------*- C++ -*-===//
///
/// \file
/// Kernels compute f16 and bf16 in f32 and round where a tensor is stored. Which tensors between operations
/// are stored is their choice: a number has to allow for both.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_ROUNDING_H
#define HEED_CODEGEN_REFERENCE_ROUNDING_H

#include "Reference/Tensor.h"

namespace heed::reference {

/// Unit roundoff of what a kernel computes results of this type with; 0 for b8 and integers.
double computingRoundoff(spec::dtype type);

/// A result as elements of the type: rounded, beyond the largest number infinite.
Tensor stored(Tensor tensor, spec::dtype type);

/// The same of what a kernel may store or not.
Tensor maybeStored(Tensor tensor, spec::dtype type);

/// Whether the elements of an operation are those of an operand, and so rounded already.
bool isView(spec::op kind);

/// Left operands of a product with values of bf16, which become bf16 too where the CPU multiplies those.
Tensor maybeNarrowed(const Tensor &left);

/// Per node, whether it is a score between a product and a softmax, which no kernel rounds to 16 bits. Not
/// those that anything else computes with.
std::vector<bool> unroundedScores(const spec::graph &kernel);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_ROUNDING_H
