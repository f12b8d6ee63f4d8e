//===- Linear.h - Tile function of a linear layer ---------------*- C++ -*-===//
//
// y = epilogue(x Wᵀ + b), with rows of x in vector lanes and rows of W broadcast. Accumulated in f64 for f64
// operands, else in f32. One launch: grid over output columns (block `columnBlock`) and rows (block
// `rowBlock`). No scalars but the epilogue's. Operands, innermost axis first:
//
//   x(i, rows) w(i, columns) [bias(columns)] [of the epilogue: (columns, rows)]… -> y(columns, rows)
//
// With heads, and then without an epilogue, columns are two axes, so that y may lie heads first:
//
//   x(i, rows) w(i, d, heads) [bias(d, heads)] -> y(d, heads, rows)
//
// For few rows the same with inputs in lanes, so that no lane computes a row that isn't there.
//
// Where the target has dot products of bf16 and x and w are bf16, x is packed in pairs of inputs, and pairs
// of w are broadcast as they lie; the last of an odd number of inputs is added by itself. Any other x
// narrower than the sum is widened while it is packed, any other w once per tile of columns, for all rows of
// the tile.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_LINEAR_H
#define HEED_CODEGEN_KERNELS_LINEAR_H

#include "Epilogue.h"

namespace heed::kernels {

/// Of each operand as stored. f64 goes with f64 alone.
struct LinearTypes {
  Halide::Type x = Halide::Float(32), w = Halide::Float(32), bias = Halide::Float(32),
               output = Halide::Float(32);

  static LinearTypes all(const Halide::Type &type) { return {type, type, type, type}; }
};

struct LinearKernel {
  std::string name;
  LinearTypes types;
  std::optional<int64_t> inputs; ///< input features where they are a number
  bool bias = false;
  std::optional<int64_t> headDepth; ///< columns of a head
  Epilogue epilogue;
};

TileFunction buildLinear(const LinearKernel &kernel, const LinearTile &tile, const CpuTarget &target);

/// Of any number of rows, which are all in one tile.
TileFunction buildFewRows(const LinearKernel &kernel, const FewRowsTile &tile, const CpuTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_LINEAR_H
