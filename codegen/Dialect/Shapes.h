//===- Shapes.h - Result types of operations --------------------*- C++ -*-===//
///
/// \file
/// One function per operation that computes the result's type from the operands' types. The verifier, the
/// builders and the importer share them, so a shape rule exists once. Each reports what it found and what is
/// needed through `emitError` and returns failure.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_DIALECT_SHAPES_H
#define HEED_DIALECT_SHAPES_H

#include "Dialect/Heed.h"

namespace heed::ir {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;
using InferredType = mlir::FailureOr<TensorType>;

InferredType inferLinear(EmitError emitError, TensorType input, TensorType weight, TensorType bias);
InferredType inferMatmul(EmitError emitError, TensorType left, TensorType right);
InferredType inferTranspose(EmitError emitError, TensorType input);
InferredType inferSplitHeads(EmitError emitError, TensorType input, ExtentAttr heads);
InferredType inferMergeHeads(EmitError emitError, TensorType input);
InferredType inferPermute(EmitError emitError, TensorType input, llvm::ArrayRef<int64_t> permutation);
InferredType inferSoftmax(EmitError emitError, TensorType input);
InferredType inferAttention(EmitError emitError, TensorType query, TensorType key, TensorType value);

/// What an element-by-element operation does with the element types of its operands.
enum class ElementRule { Arithmetic, Floating, Comparison, Logic, Choice };
InferredType inferElementwise(EmitError emitError, llvm::StringRef op, ElementRule rule,
                              llvm::ArrayRef<TensorType> operands);

/// The shape that all shapes broadcast to, aligned at the right; reports the first that doesn't fit.
mlir::FailureOr<llvm::SmallVector<ExtentAttr>> broadcast(EmitError emitError, llvm::StringRef op,
                                                         llvm::ArrayRef<llvm::ArrayRef<ExtentAttr>> shapes);
/// Whether `from` broadcasts to exactly `to`.
bool broadcastsTo(llvm::ArrayRef<ExtentAttr> from, llvm::ArrayRef<ExtentAttr> to);

/// `(batch, queries, 64)`.
std::string shapeStr(llvm::ArrayRef<ExtentAttr> shape);

/// For builders, whose operands are known to fit: a failure is a bug of the caller, reported at the
/// operation's place.
TensorType mustInfer(const mlir::OperationState &state, llvm::function_ref<InferredType(EmitError)> infer);

} // namespace heed::ir

#endif // HEED_DIALECT_SHAPES_H
