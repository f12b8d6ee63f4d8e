//===- LinearOperands.h - What the kernels of a linear layer share -*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_LINEAROPERANDS_H
#define HEED_CODEGEN_KERNELS_LINEAROPERANDS_H

#include "Linear.h"

namespace heed::kernels {

class LinearOperands {
public:
  LinearOperands(const LinearKernel &kernel, const CpuTarget &target);

  /// x at a row that may lie past the last one, in the accumulator's type.
  Halide::Expr input(const Halide::Expr &input, const Halide::Expr &row) const;
  /// W and b at a column that may lie past the last one.
  Halide::Expr weight(const Halide::Expr &input, const Halide::Expr &column) const;
  Halide::Expr biasAt(const Halide::Expr &column) const;
  /// Of one input of both, or of two.
  Halide::Expr product(const Halide::Expr &at, const Halide::Expr &row, const Halide::Expr &column) const;
  /// Two inputs of both, for pairDot.
  Halide::Expr inputPair(const Halide::Expr &pair, const Halide::Expr &row) const;
  Halide::Expr weightPair(const Halide::Expr &pair, const Halide::Expr &column) const;

  /// y from what `sum` gives for (column, row), stored `lanes` columns at a time, with the bias added on the
  /// way or not.
  Halide::Func
  output(const std::function<Halide::Expr(const Halide::Expr &column, const Halide::Expr &row)> &sum,
         bool addsBias, int lanes) const;

  TileFunction tileFunction(const Halide::Func &y) const;

  const LinearKernel &kernel;
  const Halide::Type type; ///< of the accumulator
  const bool inPairs;      ///< x and w are bf16, and the target multiplies pairs of them
  const int perProduct;    ///< inputs of one product
  Halide::Expr rows, columns, inputs;

  /// Whether the number of inputs is a number that the factor divides.
  bool isMultiple(int factor) const { return kernel.inputs && *kernel.inputs % factor == 0; }

private:
  /// An element of w as it is read.
  Halide::Expr weightElement(const Halide::Expr &input, const Halide::Expr &column) const;
  Halide::Expr widened(const Halide::Expr &element) const;

  /// bf16 that are multiplied in pairs are read as bits.
  Halide::ImageParam x, w, bias;
  const EpilogueArguments epilogue;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_LINEAROPERANDS_H
