//===- Captures.h - Tensors that a score program reads ----------*- C++ -*-===//
///
/// \file
/// Every heed.element of an attention's region becomes an operand (keys, rows) of the tile function: where an
/// index is a position, the operand has the tensor's stride along it, else stride 0. So masks of every
/// broadcast shape, lengths per batch entry and slopes per head are all the same to the machine code.
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
  mlir::Value tensor; ///< the attention's operand
  std::optional<int64_t> batchAxis, headAxis, queryAxis, keyAxis;
  bool operator==(const Capture &) const = default;
};

class Captures {
public:
  /// Reports an index that isn't a position.
  static mlir::FailureOr<Captures> of(ir::AttentionOp op);

  llvm::ArrayRef<Capture> list() const { return captures; }
  unsigned number(ir::ElementOp element) const { return numbers.lookup(element); }

private:
  llvm::SmallVector<Capture> captures;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_CAPTURES_H
