//===- Evaluate.h - The reference evaluator ---------------------*- C++ -*-===//
///
/// \file
/// Walks a plain graph naively, in double precision: one node after another, every tensor in full. It knows
/// nothing of MLIR, Halide, passes or tiles and shares no code with them; it is the oracle of `heed verify`
/// and of the tests.
///
/// Semantics that a reader could doubt:
/// - softmax of a row that is all -infinity is all zeros, or NaN with `nan_for_empty`; NaN in any other score
/// of the row makes the row NaN;
/// - a score that the spec hides (mask, where with -infinity) stays hidden under sums and positive factors,
/// even if what is added is NaN; its weight is 0, also after dropout and score programs that map 0 to 0, and
/// the key's value never enters a later product, even if it is NaN (Number::absent);
/// - amax of a row without elements is -infinity, or the lowest integer, and argmax of one is 0; NaN in a row
/// is its maximum, the first NaN where it is;
/// - integers of a program wrap, divide towards minus infinity, and by 0 to 0;
/// - a condition is true when it is nonzero;
/// - f16 and bf16 are computed in f32 and rounded where a tensor is stored. An output is; scores of a softmax
/// are not; of what lies in between nothing is known, so that both are within a number's bound.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_EVALUATE_H
#define HEED_CODEGEN_REFERENCE_EVALUATE_H

#include "Reference/Tensor.h"

namespace heed::reference {

struct Evaluation {
  std::vector<Tensor> outputs; ///< in the graph's order, then what the call leaves in each state
  std::string error;           ///< why there are none, a line per mistake
};

/// `arguments` are the inputs, weights, scalars and states in node order (argumentNodes). A position at which
/// rows do not fit into their state is a mistake.
Evaluation evaluate(const spec::graph &kernel, std::span<const Tensor> arguments);

/// The values of some nodes in place of the outputs. Arguments that none of them needs may lack their
/// elements.
Evaluation evaluate(const spec::graph &kernel, std::span<const Tensor> arguments, std::span<const int> nodes);

/// The nodes of the results: of the outputs, then the appends, one for each state, in node order.
std::vector<int> resultNodes(const spec::graph &kernel);

/// Marks the nodes that these need, themselves included.
std::vector<bool> neededNodes(const spec::graph &kernel, std::span<const int> nodes);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_EVALUATE_H
