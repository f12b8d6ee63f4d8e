//===- Canonicalize.cpp - Rewrites that always help ------------------------===//
///
/// Constants move to the right and meet there, so that a fusion finds one scale; neighbouring views become
/// one.
///
//===----------------------------------------------------------------------===//

#include "Dialect/Heed.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

std::optional<double> constant(Value value) {
  if (auto op = value.getDefiningOp<ConstantOp>())
    return op.getValue().convertToDouble();
  return std::nullopt;
}

/// c + x -> x + c.
template <typename OpTy> struct ConstantToTheRight : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    if (!constant(op.getLeft()) || constant(op.getRight()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      Value left = op.getLeft(), right = op.getRight();
      op.getLeftMutable().assign(right);
      op.getRightMutable().assign(left);
    });
    return success();
  }
};

/// The factor of a multiplication or division by a finite, nonzero number in floating point.
std::optional<double> factorOf(Operation *op) {
  if (!isa_and_present<MultiplyOp, DivideOp>(op) ||
      !isa<FloatType>(tensorType(op->getResult(0)).getElementType()))
    return std::nullopt;
  std::optional<double> number = constant(op->getOperand(1));
  if (!number || *number == 0 || !std::isfinite(*number))
    return std::nullopt;
  return number;
}

/// (x · a) · b -> x · (a · b), and the same for quotients.
template <typename OpTy> struct MergeFactors : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Operation *inner = op.getLeft().getDefiningOp();
    std::optional<double> outerFactor = factorOf(op), innerFactor = factorOf(inner);
    if (!outerFactor || !innerFactor)
      return failure();
    constexpr bool outerDivides = std::is_same_v<OpTy, DivideOp>;
    bool innerDivides = isa<DivideOp>(inner);
    Type element = op.getType().getElementType();
    // Two divisions stay one division: the quotient is rounded once.
    double factor = outerDivides == innerDivides ? *outerFactor * *innerFactor
                    : outerDivides               ? *innerFactor / *outerFactor
                                                 : *outerFactor / *innerFactor;
    Value number = ConstantOp::create(rewriter, op.getLoc(), factor, element);
    if (outerDivides && innerDivides)
      rewriter.replaceOpWithNewOp<DivideOp>(op, inner->getOperand(0), number);
    else
      rewriter.replaceOpWithNewOp<MultiplyOp>(op, inner->getOperand(0), number);
    return success();
  }
};

/// transpose(permute(x)) -> permute(x).
struct TransposeOfPermute : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<PermuteOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> permutation(inner.getPermutation());
    std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
    rewriter.replaceOpWithNewOp<PermuteOp>(op, inner.getInput(), permutation);
    return success();
  }
};

/// A permutation of the last two axes is a transpose; permute(transpose(x)) -> permute(x).
struct PermuteToTranspose : OpRewritePattern<PermuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PermuteOp op, PatternRewriter &rewriter) const override {
    SmallVector<int64_t> permutation(op.getPermutation());
    int64_t rank = permutation.size();
    if (auto inner = op.getInput().getDefiningOp<TransposeOp>()) {
      for (int64_t &axis : permutation)
        axis = axis == rank - 1 ? rank - 2 : axis == rank - 2 ? rank - 1 : axis;
      rewriter.replaceOpWithNewOp<PermuteOp>(op, inner.getInput(), permutation);
      return success();
    }
    if (rank < 2)
      return failure();
    std::swap(permutation[rank - 1], permutation[rank - 2]);
    if (!llvm::equal(permutation, llvm::seq<int64_t>(0, rank)))
      return failure();
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getInput());
    return success();
  }
};

} // namespace

void AddOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ConstantToTheRight<AddOp>>(context);
}

void MultiplyOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ConstantToTheRight<MultiplyOp>, MergeFactors<MultiplyOp>>(context);
}

void DivideOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeFactors<DivideOp>>(context);
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<TransposeOfPermute>(context);
}

void PermuteOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<PermuteToTranspose>(context);
}
