//===- Heed.h - The dialect heed --------------------------------*- C++ -*-===//
///
/// \file
/// The dialect of attention blocks: type, attribute and operations. Their documentation (formula, shapes,
/// example) is in the .td files beside this header.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_DIALECT_HEED_H
#define HEED_DIALECT_HEED_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <string>

#include "Dialect/HeedDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Dialect/HeedAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/HeedTypes.h.inc"

namespace heed::ir {

/// The result at an index depends only on the operands at that index, broadcast from the right.
template <typename ConcreteOp>
class ElementwiseTrait : public mlir::OpTrait::TraitBase<ConcreteOp, ElementwiseTrait> {};

/// A view: no work, only strides.
template <typename ConcreteOp> class ViewTrait : public mlir::OpTrait::TraitBase<ConcreteOp, ViewTrait> {};

/// The type of a value that is known to be a tensor of the dialect.
inline TensorType tensorType(mlir::Value value) { return llvm::cast<TensorType>(value.getType()); }

/// `spec.cpp:12`, the place of the spec that a location stands for; empty when there is none.
std::string locationStr(mlir::Location location);

} // namespace heed::ir

#define GET_OP_CLASSES
#include "Dialect/HeedOps.h.inc"

#endif // HEED_DIALECT_HEED_H
