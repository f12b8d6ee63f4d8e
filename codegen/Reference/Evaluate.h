//===- Evaluate.h - The reference evaluator ---------------------*- C++ -*-===//
///
/// \file
/// Walks a plain graph naively, in double precision: one node after another, every tensor in full. It knows
/// nothing of MLIR, Halide, passes or tiles and shares no code with them; it is the oracle of `heed verify`
/// and of the tests.
///
/// Semantics that a reader could doubt:
/// - softmax of a row that is all -infinity is all zeros; NaN in any other score of the row makes the row
/// NaN;
/// - a score of exactly -infinity hides its key: the weight is 0 and the key's value never enters a later
/// product,
///   even if it is NaN (Number::absent);
/// - integers of a program divide towards minus infinity, and by 0 to 0;
/// - a condition is true when it is nonzero.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_EVALUATE_H
#define HEED_CODEGEN_REFERENCE_EVALUATE_H

#include "Reference/Tensor.h"

namespace heed::reference {

struct Evaluation {
  std::vector<Tensor> outputs; ///< in the graph's order
  std::string error;           ///< why there are none, a line per mistake
};

/// `arguments` are the inputs and weights in node order (argumentNodes).
Evaluation evaluate(const spec::graph &kernel, std::span<const Tensor> arguments);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_EVALUATE_H
