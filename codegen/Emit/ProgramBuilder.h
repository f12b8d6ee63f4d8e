//===- ProgramBuilder.h - From values and axes to operands ------*- C++ -*-===//
///
/// \file
/// Fills a program with the buffers of a placed kernel and turns "axis i of value v" into operands. A back
/// end says how a launch walks its values; this file knows where they lie.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_PROGRAMBUILDER_H
#define HEED_CODEGEN_EMIT_PROGRAMBUILDER_H

#include "Placement.h"
#include "Program.h"

namespace heed {

/// How a tile function walks one axis of an operand.
struct AxisUse {
  ir::ExtentAttr extent;       ///< of the whole launch
  std::optional<int64_t> axis; ///< of the value's type; none, or one of extent 1: broadcast
  int grid = -1;               ///< grid axis that runs along it
  ir::ExtentAttr step = {};    ///< elements of the value's axis from one index to the next; none: 1
};

class ProgramBuilder {
public:
  ProgramBuilder(ir::KernelOp kernel, const Placement &placement);

  unsigned extent(ir::ExtentAttr extent);
  /// An operand with these axes, innermost first; the first `kernelRank` are passed to the tile function.
  program::Operand operand(llvm::StringRef name, mlir::Value value, llvm::ArrayRef<AxisUse> axes,
                           unsigned kernelRank, bool isOutput = false);

  program::Program take();

  program::Program program;

private:
  unsigned buffer(mlir::Value home);

  const Placement &placement;
  llvm::DenseMap<mlir::Value, unsigned> buffers;
};

/// The leading axis of a value that is `fromRight` axes left of its last `trailing` ones, if it has one.
std::optional<int64_t> leadingAxis(mlir::Value value, int64_t trailing, int64_t fromRight);

heed_dtype elementType(mlir::Type element);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_PROGRAMBUILDER_H
