//===- Captures.h - Tensors that a region reads -----------------*- C++ -*-===//
///
/// \file
/// Every heed.element of a region becomes an operand of the tile function: where an index is a position, the
/// operand has the tensor's stride along it, else stride 0. So masks of every broadcast shape, lengths per
/// batch entry and slopes per head are all the same to the machine code. An element with computed indices is
/// a table: the axes that the grid does not walk are handed over whole, and the tile function indexes them.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_CAPTURES_H
#define HEED_CODEGEN_EMIT_HALIDE_CAPTURES_H

#include "Dialect/Heed.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <optional>

namespace heed {

/// One tensor read at one set of positions.
struct Capture {
  mlir::Value tensor;                             ///< the operand of the operation with the region
  llvm::SmallVector<std::optional<int64_t>> axes; ///< per position: the tensor's axis that runs with it
  llvm::SmallVector<int64_t> table;               ///< axes that the tile function indexes, innermost first

  bool isTable() const { return !table.empty(); }
  bool operator==(const Capture &) const = default;
};

class Captures {
public:
  /// Positions are b, h, q, k. Both regions read the same tensors.
  static Captures of(ir::AttentionOp op);
  static Captures of(ir::ScoresOp op);
  /// Positions are the axes of the result; the innermost `tileRank` lie within a tile.
  static Captures of(ir::MapOp op, size_t tileRank);
  static Captures of(ir::LinearOp op, size_t tileRank);

  llvm::ArrayRef<Capture> list() const { return captures; }
  unsigned number(ir::ElementOp element) const { return numbers.lookup(element); }

private:
  /// The extents of all positions, and how to tell that an index is one of them.
  struct Positions {
    llvm::SmallVector<ir::ExtentAttr> extents;
    size_t firstInTile;    ///< the grid walks the ones before
    bool isInnermostDense; ///< what runs with the innermost is read by vectors: a tensor's innermost axis
    std::function<std::optional<unsigned>(mlir::Value index)> of;
  };
  template <typename Op> static Captures ofScores(Op op);
  static Captures ofElements(mlir::Operation *op, mlir::ValueRange tensors, size_t tileRank);
  void add(mlir::Block &region, mlir::ValueRange tensors, const Positions &positions);
  static Capture capture(ir::ElementOp element, mlir::Value tensor, const Positions &positions);

  llvm::SmallVector<Capture> captures;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_CAPTURES_H
