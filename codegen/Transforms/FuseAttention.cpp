//===- FuseAttention.cpp - Find the attention in plain operations ---------===//

#include "Transforms/FuseAttention.h"

#include "Dialect/Scalars.h"
#include "Transforms/ElementScalars.h"
#include "Transforms/ScoreTree.h"
#include "Transforms/Visibility.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// A finite, nonzero number behind a rank-0 tensor.
std::optional<double> factorOf(Value tensor) {
  auto constant = tensor.getDefiningOp<ConstantOp>();
  if (!constant || !constant.getValue().isFiniteNonZero())
    return std::nullopt;
  return constant.getValue().convertToDouble();
}

/// Takes constant factors off queries or keys, also through views (transpose, split_heads, …): scaling q, k
/// or their product is the same.
Value peelFactors(OpBuilder &builder, Value value, double &scale) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<MultiplyOp, DivideOp>(op))
    if (std::optional<double> factor = factorOf(op->getOperand(1))) {
      scale = isa<MultiplyOp>(op) ? scale * *factor : scale / *factor;
      return peelFactors(builder, op->getOperand(0), scale);
    }
  if (op && op->hasTrait<ViewTrait>()) {
    Value inner = peelFactors(builder, op->getOperand(0), scale);
    if (inner == op->getOperand(0))
      return value;
    Operation *clone = builder.clone(*op);
    clone->setOperand(0, inner);
    return clone->getResult(0);
  }
  return value;
}

/// The keys (…, n, d) behind the right side (…, d, n) of the product.
Value keysOf(OpBuilder &builder, Value right) {
  Location location = right.getLoc();
  if (auto permute = right.getDefiningOp<PermuteOp>()) {
    SmallVector<int64_t> permutation(permute.getPermutation());
    std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
    return builder.createOrFold<PermuteOp>(location, permute.getInput(), permutation);
  }
  return builder.createOrFold<TransposeOp>(location, right);
}

/// Builds the region and the captures of one attention.
class RegionBuilder {
public:
  RegionBuilder(OpBuilder &builder, ScoreTree &tree, Block &block)
      : builder(builder), tree(tree), block(block), shape(tensorType(tree.product.getResult()).getShape()) {
    Type i64 = builder.getI64Type();
    Location location = tree.softmax.getLoc();
    block.addArgument(tensorType(tree.product.getResult()).getScalarType(), location);
    for (unsigned i = AttentionOp::batchAt; i <= AttentionOp::keyAt; ++i)
      block.addArgument(i64, location);
    scalars[skipFactors(tree.product.getResult())] = block.getArgument(AttentionOp::scoreAt);
  }

  void run() {
    Location location = tree.softmax.getLoc();
    VisibleScore result = splitVisibility(builder, scalar(tree.softmax.getInput()));
    if (!result.visible)
      result.visible = ScalarBuilder(builder, location).constant(1, builder.getI1Type());
    YieldOp::create(builder, location, ValueRange{result.score, result.visible});
    eraseDead(block);
  }

  ValueRange getCaptures() const { return captures.getArrayRef(); }

  /// The constant factors directly after the product, unrounded.
  double getScale() const { return scale; }

private:
  Value skipFactors(Value scores) {
    while (scores.hasOneUse()) {
      Operation *op = *scores.getUsers().begin();
      if (!isa<MultiplyOp, DivideOp>(op) || op->getOperand(0) != scores)
        break;
      std::optional<double> factor = factorOf(op->getOperand(1));
      if (!factor)
        break;
      scale = isa<MultiplyOp>(op) ? scale * *factor : scale / *factor;
      scores = op->getResult(0);
    }
    return scores;
  }

  /// The element of a tensor at the current position (b, h, q, k).
  Value scalar(Value tensor) {
    if (auto known = scalars.find(tensor); known != scalars.end())
      return known->second;
    return scalars[tensor] = build(tensor);
  }

  Value build(Value tensor) {
    if (Value constant = buildConstantScalar(builder, tensor))
      return constant;
    Operation *op = tensor.getDefiningOp();
    bool isPath = op && tree.path.lookup(op);
    if (isElementwise(op) && (isPath || isMatrix(tensor))) {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(scalar(operand));
      return buildElementScalar(builder, op, operands);
    }
    if (isPath && isa<MaskOp, ScoreModOp>(op))
      return buildProgram(op);
    return buildElement(tensor);
  }

  /// Whether storing the tensor would take space for queries × keys: then it is computed where it is used.
  static bool isMatrix(Value tensor) {
    ir::TensorType type = tensorType(tensor);
    return type.getRank() >= 2 && !type.getExtent(-1).isOne() && !type.getExtent(-2).isOne();
  }

  Value buildProgram(Operation *op) {
    Value score = scalar(op->getOperand(0));
    SmallVector<Value> arguments;
    if (isa<ScoreModOp>(op))
      arguments.push_back(score);
    for (unsigned i = AttentionOp::batchAt; i <= AttentionOp::keyAt; ++i)
      arguments.push_back(block.getArgument(i));
    for (Value operand : op->getOperands().drop_front())
      arguments.push_back(capture(operand));
    Value result = inlineRegion(builder, op->getRegion(0), arguments);
    if (isa<ScoreModOp>(op))
      return result;
    ScalarBuilder scalar(builder, op->getLoc());
    return scalar.select(result, score, scalar.constant(-INFINITY, score.getType()));
  }

  Value buildElement(Value tensor) {
    // Axes from the right are k, q, h, b; with one leading axis less, that axis is b.
    ScalarBuilder scalar(builder, tensor.getLoc());
    unsigned rank = shape.size();
    SmallVector<Value> positions;
    for (unsigned argument : {AttentionOp::batchAt, AttentionOp::headAt})
      if (positions.size() + 2 < rank)
        positions.push_back(block.getArgument(argument));
    positions.push_back(block.getArgument(AttentionOp::queryAt));
    positions.push_back(block.getArgument(AttentionOp::keyAt));
    ir::TensorType type = tensorType(tensor);
    SmallVector<Value> indices;
    for (auto [extent, position] :
         llvm::zip_equal(type.getShape(), ArrayRef<Value>(positions).take_back(type.getRank())))
      indices.push_back(extent.isOne() ? scalar.constant(0, builder.getI64Type()) : position);
    return ElementOp::create(builder, tensor.getLoc(), capture(tensor), indices);
  }

  Value capture(Value tensor) {
    if (captures.insert(tensor))
      block.addArgument(tensor.getType(), tensor.getLoc());
    unsigned index = llvm::find(captures, tensor) - captures.begin();
    return block.getArgument(AttentionOp::capturesAt + index);
  }

  OpBuilder &builder;
  ScoreTree &tree;
  Block &block;
  ArrayRef<ExtentAttr> shape;
  llvm::DenseMap<Value, Value> scalars;
  llvm::SetVector<Value> captures;
  double scale = 1;
};

/// The factors of the raw score in the region, as long as nothing else reads it; those that a mask came
/// before.
double takeScale(Block &block) {
  double scale = 1;
  Value score = block.getArgument(AttentionOp::scoreAt);
  while (score.hasOneUse()) {
    Operation *op = *score.getUsers().begin();
    APFloat factor(1.0);
    if (isa<arith::NegFOp>(op))
      scale = -scale;
    else if (isa<arith::MulFOp, arith::DivFOp>(op) && op->getOperand(0) == score &&
             matchPattern(op->getOperand(1), m_ConstantFloat(&factor)) && factor.isFiniteNonZero())
      scale = isa<arith::MulFOp>(op) ? scale * factor.convertToDouble() : scale / factor.convertToDouble();
    else
      break;
    op->getResult(0).replaceAllUsesWith(score);
    op->erase();
  }
  return scale;
}

void fuse(ScoreTree &tree) {
  MatmulOp product = tree.product, weighted = tree.weighted;
  OpBuilder builder(weighted);
  Region region;
  Block &block = region.emplaceBlock();
  OpBuilder inner(builder.getContext()); // the region has no parent yet, which atBlockEnd would ask
  inner.setInsertionPointToEnd(&block);
  RegionBuilder regionBuilder(inner, tree, block);
  regionBuilder.run();

  double scale = regionBuilder.getScale() * takeScale(block);
  Value query = peelFactors(builder, product.getLeft(), scale);
  Value key = peelFactors(builder, keysOf(builder, product.getRight()), scale);
  auto attention = AttentionOp::create(builder, tree.softmax.getLoc(), query, key, weighted.getRight(),
                                       tree.softmax.getSink(), regionBuilder.getCaptures(), scale,
                                       ArrayRef<StringRef>{AttentionOp::outputName});
  attention.setNanForEmpty(tree.softmax.getNanForEmpty());
  attention.getBody().takeBody(region);
  weighted.replaceAllUsesWith(attention.getOutput());
}

struct FuseAttentionPass : PassWrapper<FuseAttentionPass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseAttentionPass)
  StringRef getArgument() const override { return "heed-fuse-attention"; }
  StringRef getDescription() const override { return "matmul, softmax and matmul become one heed.attention"; }

  void runOnOperation() override {
    eraseDead(getOperation().getBody().front());
    SmallVector<SoftmaxOp> softmaxes(getOperation().getOps<SoftmaxOp>());
    for (SoftmaxOp softmax : softmaxes) {
      auto found = findScoreTree(softmax);
      if (auto *tree = std::get_if<ScoreTree>(&found)) {
        fuse(*tree);
        // What was fused is dead now; a later softmax must not see it as a user.
        eraseDead(getOperation().getBody().front());
        continue;
      }
      std::string reason = std::get<std::string>(std::move(found));
      softmax->setAttr(notFusedAttr, StringAttr::get(&getContext(), reason));
      softmax.emitRemark() << "softmax: not fused, " << reason;
    }
  }
};

} // namespace

std::unique_ptr<Pass> heed::createFuseAttentionPass() { return std::make_unique<FuseAttentionPass>(); }
