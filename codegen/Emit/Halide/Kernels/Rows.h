//===- Rows.h - Tile functions along the last axis --------------*- C++ -*-===//
//
// Operations that look at one row at a time. No scalars. Operands, innermost axis first; any axis of an input
// may have any stride, also 0; where the innermost ones are dense, rows are read by vectors:
//
//   buildSoftmax   x(n, rows) [sink(1)] -> y(n, rows)
//   buildLogSumExp x(n, rows) [sink(1)] -> y(rows)
//   buildReduction x(n, rows) -> y(rows)
//   buildNorm      x(n, rows) [gain(n)] [bias(n)] -> y(n, rows)
//
// Grid: rows (rowBlock), batches. Rows of one tile have one sink. Every operand has its own type, of which
// f64 goes with f64 alone.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_ROWS_H
#define HEED_CODEGEN_KERNELS_ROWS_H

#include "TileFunction.h"

namespace heed::kernels {

struct SoftmaxTypes {
  Halide::Type input = Halide::Float(32), sink = Halide::Float(32), result = Halide::Float(32);

  static SoftmaxTypes all(const Halide::Type &type) { return {type, type, type}; }
};

/// A row whose entries are all -infinity, without a sink, gives zeros, or NaN; its log-sum-exp is -infinity.
struct SoftmaxKernel {
  std::string name;
  SoftmaxTypes types;
  bool hasSink = false; ///< a logit that only the sum has
  bool nanForEmpty = false;
};

/// Over a row without elements: 0; -infinity or the lowest integer; 0.
enum class Reduction { Sum, Amax, Argmax };

/// Sums of integers wrap around. NaN is larger than everything. Argmax gives int32, the first of equals.
struct ReductionKernel {
  std::string name;
  Halide::Type input = Halide::Float(32), result = Halide::Float(32);
  Reduction kind = Reduction::Sum;
};

struct NormTypes {
  Halide::Type input = Halide::Float(32), gain = Halide::Float(32), bias = Halide::Float(32),
               result = Halide::Float(32);

  static NormTypes all(const Halide::Type &type) { return {type, type, type, type}; }
};

/// (x - mean) / sqrt(variance + epsilon) · gain + bias, or x / sqrt(mean of the squares + epsilon) · gain.
/// Sums are kept in the accumulator's type. Where the sum of the squares of the deviations (elements) is
/// infinite in it, from 1.8e19 / sqrt(n) on in f32, y is the bias (0): as if the row were constant. Where the
/// sum of the elements is, y is NaN.
struct NormKernel {
  std::string name;
  NormTypes types;
  bool centred = true; ///< layer_norm; else rms_norm
  bool hasGain = false, hasBias = false;
  double epsilon = 0;
};

TileFunction buildSoftmax(const SoftmaxKernel &kernel, const CpuTarget &target);
TileFunction buildLogSumExp(const SoftmaxKernel &kernel, const CpuTarget &target);
TileFunction buildReduction(const ReductionKernel &kernel, const CpuTarget &target);
TileFunction buildNorm(const NormKernel &kernel, const CpuTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ROWS_H
