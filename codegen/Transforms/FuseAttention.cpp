//===- FuseAttention.cpp - Find the attention in plain operations ---------===//

#include "Transforms/FuseAttention.h"

#include "Transforms/AttentionOperands.h"
#include "Transforms/ElementScalars.h"
#include "Transforms/StoreMatrices.h"
#include "mlir/Analysis/TopologicalSortUtils.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

void note(Operation *op, const std::string &reason) {
  op->setAttr(notFusedAttr, StringAttr::get(op->getContext(), reason));
  op->emitRemark() << op->getName().stripDialect() << ": not fused, " << reason;
}

/// Whether a value is computed from the result of one of these operations.
bool dependsOn(ValueRange values, const llvm::SetVector<Operation *> &sources) {
  llvm::SetVector<Operation *> seen;
  auto visit = [&](ValueRange operands) {
    for (Value operand : operands)
      if (Operation *op = operand.getDefiningOp())
        seen.insert(op);
  };
  visit(values);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (sources.contains(seen[i]))
      return true;
    visit(seen[i]->getOperands());
  }
  return false;
}

/// Why weights of these scores can't meet the values in one attention; empty if they can.
std::string checkValues(MatmulOp weighted) {
  ir::TensorType weights = weighted.getLeft().getType(), result = weighted.getType();
  if (result.getRank() > 4 || weights.getShape().drop_back(2) != result.getShape().drop_back(2))
    return "its weights are " + weights.shapeStr() + " but its result is " + result.shapeStr() +
           ", needed equal leading axes";
  return {};
}

class Fusion {
public:
  explicit Fusion(KernelOp kernel) : block(kernel.getBody().front()) {}

  void run() {
    eraseDead(block);
    forEach<SoftmaxOp>([&](SoftmaxOp op) { fuseSoftmax(op); });
    forEach<LogSumExpOp>([&](LogSumExpOp op) { fuseLogSumExp(op); });
    forEach<MatmulOp>([&](MatmulOp op) { fuseUnnormalized(op); });
    forEach<MaskOp>([&](MaskOp op) { addProduct(op.getResult()); });
    forEach<ScoreModOp>([&](ScoreModOp op) { addProduct(op.getResult()); });
    llvm::for_each(products, storeScores);
    eraseDead(block);
    // Operations stand where the words stood that they replace; an operand may come later.
    [[maybe_unused]] bool isSorted = sortTopologically(&block);
    assert(isSorted && "a fused operation depends on itself");
  }

private:
  /// What was fused before must not be seen as a user; it is cut off, not erased, since the loops hold it.
  template <typename OpTy> void forEach(llvm::function_ref<void(OpTy)> visit) {
    for (OpTy op : llvm::to_vector(block.getOps<OpTy>()))
      if (!op->use_empty()) {
        visit(op);
        cutOffDead();
      }
  }

  void cutOffDead() {
    for (Operation &op : llvm::reverse(block))
      if (isOpTriviallyDead(&op))
        op.dropAllReferences();
  }

  void fuseSoftmax(SoftmaxOp softmax) {
    auto found = findScores(softmax.getInput());
    if (auto *reason = std::get_if<std::string>(&found))
      return note(softmax, *reason);
    auto &scores = std::get<ElementPath>(found);
    products.insert(scores.root.getDefiningOp<MatmulOp>());
    AttentionPlan plan{scores, softmax.getSink(), softmax.getNanForEmpty()};
    SmallVector<AttentionOp> attentions = fuseValues(softmax, plan);
    cutOffDead();

    llvm::SetVector<Operation *> readers; // of the statistics
    for (Operation *user : scores.result.getUsers())
      if (auto sum = dyn_cast<LogSumExpOp>(user); sum && sum.getSink() == plan.sink)
        readers.insert(sum);
    SmallVector<StringRef> statistics;
    if (!softmax->use_empty())
      statistics = {AttentionOp::largestName, AttentionOp::sumName};
    if (!readers.empty())
      statistics.push_back(AttentionOp::logSumExpName);
    if (statistics.empty())
      return;
    readers.insert(softmax);
    AttentionOp attention = withStatistics(softmax, plan, attentions, readers, statistics);
    for (Operation *reader : readers)
      if (auto sum = dyn_cast<LogSumExpOp>(reader))
        replaceSum(sum, attention);
    if (!softmax->use_empty())
      storeWeights(softmax, plan, attention);
  }

  /// Every product of weights from the softmax with values becomes an attention, if that is right.
  SmallVector<AttentionOp> fuseValues(SoftmaxOp softmax, const AttentionPlan &plan) {
    SmallVector<AttentionOp> attentions;
    for (MatmulOp product : llvm::to_vector(block.getOps<MatmulOp>())) {
      if (product->use_empty())
        continue;
      auto weights = findPath(product.getLeft(), [&](Operation *op) { return op == softmax; });
      if (!weights)
        continue;
      std::string reason = checkValues(product);
      Operation *changer = nullptr;
      OpBuilder builder(product);
      AttentionOp attention;
      if (reason.empty())
        attention = buildAttention(builder, softmax.getLoc(), plan, *weights, product.getRight(), changer);
      if (changer)
        reason =
            "its weights pass through " + describe(changer) + ", whose result is no multiple of the weight";
      if (!attention) {
        note(product, reason);
        continue;
      }
      attention.getOutput().setType(product.getType());
      product.replaceAllUsesWith(attention.getOutput());
      attentions.push_back(attention);
    }
    return attentions;
  }

  /// An attention that produces the statistics: one that has been built, if it can be computed before they
  /// are read.
  static AttentionOp withStatistics(SoftmaxOp softmax, const AttentionPlan &plan,
                                    ArrayRef<AttentionOp> attentions,
                                    const llvm::SetVector<Operation *> &readers,
                                    ArrayRef<StringRef> statistics) {
    for (AttentionOp attention : attentions)
      if (!dependsOn(attention->getOperands(), readers))
        return produceAlso(attention, statistics);
    OpBuilder builder(softmax);
    return buildStatistics(builder, softmax.getLoc(), plan, statistics);
  }

  void fuseLogSumExp(LogSumExpOp op) {
    auto found = findScores(op.getInput());
    if (auto *reason = std::get_if<std::string>(&found))
      return note(op, *reason);
    auto &scores = std::get<ElementPath>(found);
    products.insert(scores.root.getDefiningOp<MatmulOp>());
    OpBuilder builder(op);
    AttentionOp attention =
        buildStatistics(builder, op.getLoc(), {scores, op.getSink()}, {AttentionOp::logSumExpName});
    replaceSum(op, attention);
  }

  /// Statistics have the scalars' type: f32 beside bf16.
  static void replaceSum(LogSumExpOp op, AttentionOp attention) {
    Value sum = attention.getLogSumExp();
    if (sum.getType() != op.getType()) {
      OpBuilder builder(op);
      auto map = MapOp::create(builder, op.getLoc(), op.getType(), sum, /*captures=*/ValueRange());
      Block *body = builder.createBlock(&map.getBody());
      YieldOp::create(builder, op.getLoc(), body->addArgument(tensorType(sum).getScalarType(), op.getLoc()));
      sum = map.getResult();
    }
    op.replaceAllUsesWith(sum);
  }

  /// matmul(f(q kᵀ), v) without a softmax, where f is more than a factor: plain chains of products are better
  /// off with the general product.
  void fuseUnnormalized(MatmulOp product) {
    auto isScores = [&](Operation *op) {
      auto scores = dyn_cast<MatmulOp>(op);
      return scores && isa_and_present<TransposeOp, PermuteOp>(scores.getRight().getDefiningOp());
    };
    auto weights = findPath(product.getLeft(), isScores);
    ir::TensorType type = product.getLeft().getType();
    if (!weights || type.getRank() > 4 || tensorType(weights->root).getShape() != type.getShape() ||
        !isa<FloatType>(type.getElementType()) || !checkValues(product).empty())
      return;
    auto isFactor = [](auto &step) { return !step.second || factorOfFirst(step.first); };
    if (llvm::all_of(weights->operations, isFactor))
      return;
    products.insert(weights->root.getDefiningOp<MatmulOp>());
    OpBuilder builder(product);
    Value output = buildUnnormalized(builder, product.getLoc(), *weights, product.getRight()).getOutput();
    output.setType(product.getType());
    product.replaceAllUsesWith(output);
  }

  void addProduct(Value scores) {
    auto found = findScores(scores);
    if (auto *path = std::get_if<ElementPath>(&found))
      products.insert(path->root.getDefiningOp<MatmulOp>());
  }

  Block &block;
  llvm::SetVector<MatmulOp> products; ///< whose scores are fused
};

struct FuseAttentionPass : PassWrapper<FuseAttentionPass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseAttentionPass)
  StringRef getArgument() const override { return "heed-fuse-attention"; }
  StringRef getDescription() const override { return "matmul, softmax and matmul become one heed.attention"; }
  void runOnOperation() override { Fusion(getOperation()).run(); }
};

} // namespace

std::unique_ptr<Pass> heed::createFuseAttentionPass() { return std::make_unique<FuseAttentionPass>(); }
