//===- Region.h - Regions of scalars as Halide expressions ------*- C++ -*-===//
///
/// \file
/// Everything per element is a region of arith and math; this is the one place that turns it into Halide.
/// Integers are 64 bits in the dialect: they are computed in 32 where their range allows it, for the sake of
/// vectors, with positions and extents taken as below 2^28.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_REGION_H
#define HEED_CODEGEN_EMIT_HALIDE_REGION_H

#include "Captures.h"

#include <Halide.h>

#include <functional>
#include <string>
#include <vector>

namespace heed {

/// Where the values from outside a region come from.
struct RegionInputs {
  llvm::DenseMap<mlir::Value, Halide::Expr> positions; ///< block arguments that count from 0: int32
  llvm::DenseMap<mlir::Value, Halide::Expr> elements;  ///< block arguments that are elements, as stored
  std::function<Halide::Expr(int64_t axis)> position;  ///< of a map, int32
  /// As stored, at these indices (int32 or int64, one per axis).
  std::function<Halide::Expr(ir::ElementOp, llvm::ArrayRef<Halide::Expr> indices)> element;
  std::function<Halide::Expr(ir::ExtentAttr)> extent; ///< int32
  /// The argument that stands for a probability of dropout which is 0: nothing is dropped then.
  mlir::Value zeroProbability = {};
};

/// Reports the first operation in a region of `op` that has no expression.
mlir::LogicalResult checkRegions(mlir::Operation *op);

/// The yielded values of a region that passed checkRegions.
std::vector<Halide::Expr> evaluateRegion(mlir::Block &region, const RegionInputs &inputs);

/// A probability of dropout that the caller gives.
struct CallersProbability {
  unsigned argument;    ///< its number among the kernel's
  mlir::Value inRegion; ///< the region's argument
};
/// The number that the region's dropout compares its random numbers with, if it is an argument of the call;
/// nothing where there is none, or are several. The captures are the region's last arguments.
std::optional<CallersProbability> callersProbability(mlir::Region &region, mlir::ValueRange captures);

/// Equal text, equal expressions: the region without the names of values outside it. Where an element lies is
/// a matter of strides, so only its number is told.
std::string canonicalText(mlir::Block &region, const Captures &captures);

/// The type of an element in memory.
Halide::Type halideType(mlir::Type element);

/// Of the elements of a tensor.
Halide::Type elementTypeOf(mlir::Value tensor);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_REGION_H
