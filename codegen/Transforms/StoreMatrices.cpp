//===- StoreMatrices.cpp - Scores and weights that are read ----------------===//

#include "Transforms/StoreMatrices.h"

#include "Dialect/Shapes.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// Builds the operation that writes the value at the end of a path; null if there is none.
using Build = llvm::function_ref<Operation *(OpBuilder &builder, const ElementPath &path)>;

class Storer {
public:
  Storer(Value root, Build build) : root(root), build(build) {}

  void store(Value value) {
    if (!stored.insert(value))
      return;
    SmallVector<Operation *> users(
        llvm::to_vector(llvm::SetVector<Operation *>(value.getUsers().begin(), value.getUsers().end())));
    if (llvm::all_of(users, [&](Operation *user) { return isWritable(user); })) {
      for (Operation *user : users)
        store(user->getResult(0));
      return;
    }
    Operation *matrix = write(value);
    value.replaceAllUsesWith(matrix->getResult(0));
  }

private:
  /// Whether what the user computes from the value can be written in its place.
  bool isWritable(Operation *user) {
    auto type = tensorType(user->getResult(0));
    if (!isOnElements(user) || type.getShape() != tensorType(root).getShape() ||
        !mix(type.getElementType(), tensorType(root).getElementType()))
      return false;
    Operation *trial = write(user->getResult(0));
    if (trial)
      trial->erase();
    return trial;
  }

  Operation *write(Value value) {
    std::optional<ElementPath> path =
        findPath(value, [&](Operation *op) { return op == root.getDefiningOp(); });
    if (!path) // the root is another operand, which a mask or score program captures
      return nullptr;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    return build(builder, *path);
  }

  Value root;
  Build build;
  llvm::SetVector<Value> stored;
};

} // namespace

void heed::storeScores(MatmulOp product) {
  auto build = [](OpBuilder &builder, const ElementPath &path) -> Operation * {
    return buildScores(builder, path);
  };
  if (!product->use_empty())
    Storer(product.getResult(), build).store(product.getResult());
}

void heed::storeWeights(SoftmaxOp softmax, const AttentionPlan &plan, AttentionOp statistics) {
  auto build = [&](OpBuilder &builder, const ElementPath &path) -> Operation * {
    return buildWeights(builder, plan, path, statistics);
  };
  Storer(softmax.getResult(), build).store(softmax.getResult());
}
