//===- FoldConverts.cpp - Types change where elements are stored ----------===//

#include "Transforms/FoldConverts.h"

#include "Dialect/Shapes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

Type elementOf(Value value) { return tensorType(value).getElementType(); }

/// Operations that compute in the accumulator's type and round their result when they store it; they read
/// operands of any type that mixes.
bool roundsOnce(Operation *op) {
  return isa_and_present<AttentionOp, ScoresOp, LinearOp, MatmulOp, SoftmaxOp, LogSumExpOp, SumOp, AmaxOp,
                         LayerNormOp, RmsNormOp, MapOp>(op);
}

bool isView(Operation *op) { return op && (op->hasTrait<ViewTrait>() || isa<RepeatHeadsOp>(op)); }

void setElement(Value value, Type element) {
  value.setType(ir::TensorType::get(tensorType(value).getShape(), element));
}

/// Gives what computes a value, and nobody else reads, another type.
LogicalResult storeAs(Value value, Type element) {
  SmallVector<Value> chain = {value};
  while (isView(chain.back().getDefiningOp()) && chain.back().hasOneUse())
    chain.push_back(chain.back().getDefiningOp()->getOperand(0));
  Value computed = chain.back();
  if (!computed.hasOneUse() || !roundsOnce(computed.getDefiningOp()) || !mix(elementOf(computed), element) ||
      computed != computed.getDefiningOp()->getResult(0))
    return failure();
  for (Value each : chain)
    setElement(each, element);
  return success();
}

/// convert(linear(…)) -> linear(…) of the new type.
struct IntoProducer : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op, PatternRewriter &rewriter) const override {
    if (failed(storeAs(op.getInput(), op.getType().getElementType())))
      return failure();
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

/// The 16-bit tensor behind a convert to f32.
Value narrowSource(Value value) {
  auto convert = value.getDefiningOp<ConvertOp>();
  if (!convert || !elementOf(value).isF32() || elementOf(convert.getInput()).getIntOrFloatBitWidth() != 16)
    return {};
  return convert.getInput();
}

/// transpose(convert(x)) -> convert(transpose(x)).
struct BehindView : RewritePattern {
  explicit BehindView(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    Value source = isView(op) ? narrowSource(op->getOperand(0)) : Value();
    if (!source)
      return failure();
    ir::TensorType wide = tensorType(op->getResult(0));
    Operation *view = rewriter.clone(*op);
    view->setOperand(0, source);
    setElement(view->getResult(0), elementOf(source));
    rewriter.replaceOpWithNewOp<ConvertOp>(op, wide, view->getResult(0));
    return success();
  }
};

/// linear(convert(x), w) -> linear(x, w).
struct IntoReader : RewritePattern {
  explicit IntoReader(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    // Captured tensors have their types in the regions too.
    if (!roundsOnce(op) || isa<MapOp, AttentionOp, ScoresOp>(op))
      return failure();
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands())
      if (Value source = narrowSource(operand.get())) {
        rewriter.modifyOpInPlace(op, [&] { operand.set(source); });
        changed = true;
      }
    return success(changed);
  }
};

struct FoldConvertsPass : PassWrapper<FoldConvertsPass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldConvertsPass)
  StringRef getArgument() const override { return "heed-fold-converts"; }
  StringRef getDescription() const override { return "what computes or reads a convert has its type"; }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<IntoProducer, BehindView, IntoReader>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

/// A matrix of scores and what it is computed of.
void widen(Value value) {
  Type element = elementOf(value);
  if (element.isF32() || !mix(element, Float32Type::get(value.getContext())) ||
      failed(storeAs(value, Float32Type::get(value.getContext()))))
    return;
  Operation *op = value.getDefiningOp();
  while (isView(op))
    op = op->getOperand(0).getDefiningOp();
  if (auto map = dyn_cast<MapOp>(op))
    for (Value input : map.getInputs())
      if (tensorType(input).getShape() == map.getType().getShape())
        widen(input);
}

struct WidenScoresPass : PassWrapper<WidenScoresPass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WidenScoresPass)
  StringRef getArgument() const override { return "heed-widen-scores"; }
  StringRef getDescription() const override { return "scores of a softmax that is not fused are f32"; }

  void runOnOperation() override {
    for (Operation &op : getOperation().getBody().front())
      if (isa<SoftmaxOp, LogSumExpOp>(op))
        widen(op.getOperand(0));
  }
};

} // namespace

std::unique_ptr<Pass> heed::createFoldConvertsPass() { return std::make_unique<FoldConvertsPass>(); }
std::unique_ptr<Pass> heed::createWidenScoresPass() { return std::make_unique<WidenScoresPass>(); }
