//===- Program.h - Scalar programs of masks and scores ----------*- C++ -*-===//
///
/// \file
/// Runs the program of a mask, score_mod or tabulate node at one position. Integers have 64 bits and wrap;
/// their division and remainder round towards minus infinity. An index into a captured tensor that lies
/// outside of it is clamped into its range; an empty captured tensor reads as 0.
///
/// Where rounding decides a comparison, its truth and whatever follows from it are ranges: a kernel may give
/// any value in them.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_PROGRAM_H
#define HEED_CODEGEN_REFERENCE_PROGRAM_H

#include "Reference/Tensor.h"

namespace heed::reference {

/// A scalar of a program. Integers and truths live in `integer`, somewhere in [low, high], reals in `real`.
struct Scalar {
  spec::scalar_type type = spec::scalar_type::integer;
  std::int64_t integer = 0, low = 0, high = 0;
  Number real;
};

Number asReal(const Scalar &scalar);
bool asTruth(const Scalar &scalar);

/// Whether a kernel may find the other truth.
bool isUncertain(const Scalar &scalar);

class Program {
public:
  /// `operands` are the node's operands; they must outlive the program. `u` is the unit roundoff of the
  /// reals.
  Program(const spec::graph &kernel, const spec::node &node, std::vector<const Tensor *> operands,
          const SymbolValues &symbols, double u);

  /// `index` is the position in the node's result, (b, h, q, k) for scores.
  Scalar run(const Shape &index, Number score);

private:
  Scalar evaluate(const spec::instruction &instruction, const Shape &index, Number score) const;
  Scalar element(const spec::instruction &instruction) const;
  Scalar elementAt(const spec::instruction &instruction, std::int64_t offset) const;

  const spec::graph &kernel;
  std::vector<const Tensor *> operands;
  const SymbolValues &symbols;
  double u;
  int result;
  std::vector<int> order;     ///< the instructions that the result needs, operands first
  std::vector<Scalar> values; ///< by instruction
};

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_PROGRAM_H
