//===- Program.h - Programs of masks, scores and tables ---------*- C++ -*-===//
///
/// \file
/// The instructions of one mask, score program or table, as arith and math in a region's block.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_IMPORT_PROGRAM_H
#define HEED_IMPORT_PROGRAM_H

#include "Dialect/Heed.h"
#include "heed/dsl/graph_data.hpp"

#include <vector>

namespace heed {

/// What the leaves of a program stand for in the region.
struct ProgramScope {
  mlir::Value score;                        ///< null in a mask
  llvm::SmallVector<mlir::Value> positions; ///< i64: b, h, q, k of a mask or score program, else one per axis
  mlir::ValueRange captures;                ///< operands from `firstCapture` on
  mlir::Type real;                          ///< f32 or f64
  llvm::ArrayRef<ir::ExtentAttr> extents;   ///< the graph's
};

/// Builds what the node's program needs, in the graph's order, and returns its result. The graph is valid.
mlir::Value importProgram(mlir::OpBuilder &builder, mlir::Location location, const spec::graph &graph,
                          const spec::node &node, const ProgramScope &scope);

/// Which of the instructions up to `result` it depends on, itself included.
std::vector<bool> neededInstructions(const spec::graph &graph, int16_t result);

/// The first operand of a node that its program reads by `element`; before are scores.
int firstCapture(spec::op kind);

} // namespace heed

#endif // HEED_IMPORT_PROGRAM_H
