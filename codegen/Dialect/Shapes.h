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
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/ErrorHandling.h"

namespace heed::ir {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;
using InferredType = mlir::FailureOr<TensorType>;

InferredType inferLinear(EmitError emitError, TensorType input, TensorType weight, TensorType bias);
InferredType inferMatmul(EmitError emitError, TensorType left, TensorType right);
InferredType inferTranspose(EmitError emitError, TensorType input);
InferredType inferSplitHeads(EmitError emitError, TensorType input, ExtentAttr heads);
InferredType inferMergeHeads(EmitError emitError, TensorType input);
InferredType inferPermute(EmitError emitError, TensorType input, llvm::ArrayRef<int64_t> permutation);
InferredType inferAppendAxis(EmitError emitError, TensorType input);
/// `sink` may be null.
InferredType inferSoftmax(EmitError emitError, TensorType input, TensorType sink);
InferredType inferLogSumExp(EmitError emitError, TensorType input, TensorType sink);

/// Leading axes (0, 1 or 2 of them), queries, keys.
using ScoreShape = llvm::SmallVector<ExtentAttr, 4>;
/// What an attention computes between its products; `value` may be null.
mlir::FailureOr<ScoreShape> inferScoreShape(EmitError emitError, llvm::StringRef op, TensorType query,
                                            TensorType key, TensorType value);
/// Query heads that share one head of key and value: 1 where these have as many; all where they have one.
ExtentAttr headsPerKey(TensorType query, TensorType key, TensorType value);
/// A logit per head, (h), beside scores (b, h, q, k).
mlir::LogicalResult verifySink(EmitError emitError, llvm::StringRef op, TensorType sink, TensorType scores);

/// What an element-by-element operation does with the element types of its operands.
enum class ElementRule { Arithmetic, Floating, Comparison, Logic, Choice };
InferredType inferElementwise(EmitError emitError, llvm::StringRef op, ElementRule rule,
                              llvm::ArrayRef<TensorType> operands);

/// The shape that all shapes broadcast to, aligned at the right; reports the first that doesn't fit.
mlir::FailureOr<llvm::SmallVector<ExtentAttr>> broadcast(EmitError emitError, llvm::StringRef op,
                                                         llvm::ArrayRef<llvm::ArrayRef<ExtentAttr>> shapes);
/// Whether `from` broadcasts to exactly `to`.
bool broadcastsTo(llvm::ArrayRef<ExtentAttr> from, llvm::ArrayRef<ExtentAttr> to);

/// Reports "linear: input is (q, 64), needed …".
mlir::InFlightDiagnostic rankError(EmitError emitError, llvm::StringRef op, llvm::StringRef operand,
                                   TensorType type, llvm::StringRef needed);
mlir::LogicalResult requireSameElements(EmitError emitError, llvm::StringRef op,
                                        llvm::ArrayRef<TensorType> types);

/// f16, bf16 and f32 go together: all are computed in f32. f64 goes with itself alone.
bool mix(mlir::Type element, mlir::Type other);
/// Element types that mix, or one type.
mlir::LogicalResult requireMixing(EmitError emitError, llvm::StringRef op, llvm::ArrayRef<TensorType> types);

/// `(batch, queries, 64)`.
std::string shapeStr(llvm::ArrayRef<ExtentAttr> shape);

/// The result of an operation must be what its operands imply.
mlir::LogicalResult verifyResult(mlir::Operation *op, InferredType inferred);
/// The same of an operation that rounds its result once, to any type that mixes with what its operands imply.
mlir::LogicalResult verifyRoundedResult(mlir::Operation *op, InferredType inferred);

/// For builders, whose operands are known to fit: a failure is a bug of the caller, reported at the
/// operation's place.
template <typename Infer> auto mustInfer(const mlir::OperationState &state, Infer infer) {
  auto inferred = infer([&] { return mlir::emitError(state.location); });
  if (failed(inferred))
    llvm::report_fatal_error("a pass built an operation whose operands do not fit");
  return *inferred;
}

} // namespace heed::ir

#endif // HEED_DIALECT_SHAPES_H
