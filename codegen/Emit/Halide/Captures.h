//===- Captures.h - Tensors that a region reads -----------------*- C++ -*-===//
///
/// \file
/// Every heed.element of a region becomes an operand of the tile function: where an index is a position, the
/// operand has the tensor's stride along it, else stride 0. So masks of every broadcast shape, lengths per
/// batch entry and slopes per head are all the same to the machine code. Indices that are computed have no
/// such operand and are refused.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_CAPTURES_H
#define HEED_CODEGEN_EMIT_HALIDE_CAPTURES_H

#include "Dialect/Heed.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace heed {

/// One tensor read at one set of positions.
struct Capture {
  mlir::Value tensor;                             ///< the operand of the operation with the region
  llvm::SmallVector<std::optional<int64_t>> axes; ///< per position: the tensor's axis that runs with it
  bool operator==(const Capture &) const = default;
};

class Captures {
public:
  /// Positions are b, h, q, k.
  static mlir::FailureOr<Captures> of(ir::AttentionOp op);
  /// Positions are the axes of the result.
  static mlir::FailureOr<Captures> of(ir::MapOp op);

  llvm::ArrayRef<Capture> list() const { return captures; }
  unsigned number(ir::ElementOp element) const { return numbers.lookup(element); }

private:
  using PositionOf = llvm::function_ref<std::optional<unsigned>(mlir::Value index)>;
  static mlir::FailureOr<Captures> of(mlir::Block &region, mlir::ValueRange tensors,
                                      llvm::ArrayRef<ir::ExtentAttr> extents, PositionOf positionOf);

  llvm::SmallVector<Capture> captures;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_CAPTURES_H
