//===- Import.h - From a spec's data to the dialect -------------*- C++ -*-===//
///
/// \file
/// The one place that reads heed::spec data into MLIR. A spec module may come from another compiler or
/// another version, so everything is checked before it is used: version, indices, counts, null pointers.
/// Faults are reported as diagnostics at the spec's file and line.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_IMPORT_IMPORT_H
#define HEED_IMPORT_IMPORT_H

#include "Dialect/Heed.h"
#include "heed/dsl/graph_data.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace heed {

/// Appends the kernel to the module as written: one operation per node. Operations carry the line of their
/// node.
mlir::FailureOr<ir::KernelOp> importKernel(mlir::ModuleOp module, const spec::graph &graph);

/// Whether the data can be read at all: version, pointers, counts and every index within bounds.
mlir::LogicalResult validateGraph(mlir::MLIRContext *context, const spec::graph &graph);

/// The place of a line of the spec.
mlir::Location specLocation(mlir::MLIRContext *context, const spec::graph &graph, int32_t line);

} // namespace heed

#endif // HEED_IMPORT_IMPORT_H
