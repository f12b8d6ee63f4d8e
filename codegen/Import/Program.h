//===- Program.h - Mask and score programs ----------------------*- C++ -*-===//
///
/// \file
/// The instructions of one mask or score program, as arith and math in a region's block.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_IMPORT_PROGRAM_H
#define HEED_IMPORT_PROGRAM_H

#include "Dialect/Heed.h"
#include "heed/dsl/graph_data.hpp"

namespace heed {

/// What the leaves of a program stand for in the region.
struct ProgramScope {
  mlir::Value score;                      ///< null in a mask
  llvm::SmallVector<mlir::Value> positions; ///< i64: b, h, q, k of a mask or score program, else one per axis
  mlir::ValueRange captures;              ///< operands 1, 2, … of the node; of tabulate all
  mlir::Type real;                        ///< f32 or f64
  llvm::ArrayRef<ir::ExtentAttr> extents; ///< the graph's
};

/// Builds what the node's program needs, in the graph's order, and returns its result; reports at `location`.
mlir::FailureOr<mlir::Value> importProgram(mlir::OpBuilder &builder, mlir::Location location,
                                           const spec::graph &graph, const spec::node &node,
                                           const ProgramScope &scope);

} // namespace heed

#endif // HEED_IMPORT_PROGRAM_H
