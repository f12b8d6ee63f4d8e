//===- Placement.cpp - Where the values of a kernel lie -------------------===//

#include "Placement.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heed {
namespace {

bool isView(Operation *op) { return op->hasTrait<ir::ViewTrait>(); }

ir::TensorType tensorType(Value value) { return cast<ir::TensorType>(value.getType()); }

/// Axis i of the result is axis order[i] of the operand.
SmallVector<int64_t> axisOrder(Operation *op) {
  if (auto permute = dyn_cast<ir::PermuteOp>(op))
    return SmallVector<int64_t>(permute.getPermutation());
  int64_t rank = tensorType(op->getResult(0)).getRank();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[rank - 1], order[rank - 2]);
  return order;
}

/// (b, s, H·D) as (b, H, s, D).
View split(const View &merged, ir::TensorType type) {
  ViewAxis inner = merged.axes[2];
  ir::ExtentAttr size = type.getExtent(3);
  return {merged.home,
          {merged.axes[0],
           {type.getExtent(1), inner.axis, inner.multiplier.multiply(size)},
           merged.axes[1],
           {size, inner.axis, inner.multiplier}}};
}

/// (b, H, s, D) as (b, s, H·D): only where the heads lie side by side.
std::optional<View> merge(const View &heads, ir::TensorType type) {
  const ViewAxis &head = heads.axes[1], &inner = heads.axes[3];
  if (!head.extent.isOne() &&
      (head.axis != inner.axis || head.multiplier != inner.multiplier.multiply(inner.extent)))
    return std::nullopt;
  return View{heads.home, {heads.axes[0], heads.axes[2], {type.getExtent(2), inner.axis, inner.multiplier}}};
}

/// The view of a view operation's result, given its operand's.
std::optional<View> forward(Operation *op, const View &operand) {
  auto type = tensorType(op->getResult(0));
  if (isa<ir::SplitHeadsOp>(op))
    return split(operand, type);
  if (isa<ir::MergeHeadsOp>(op))
    return merge(operand, type);
  View result = operand;
  if (isa<ir::AppendAxisOp>(op)) {
    auto one = ir::ExtentAttr::get(op->getContext(), 1);
    result.axes.push_back({one, /*axis=*/0, one});
    return result;
  }
  for (auto [to, from] : llvm::enumerate(axisOrder(op)))
    result.axes[to] = operand.axes[from];
  return result;
}

/// The view of a view operation's operand, given its result's.
std::optional<View> backward(Operation *op, const View &result) {
  auto type = tensorType(op->getOperand(0));
  if (isa<ir::SplitHeadsOp>(op))
    return merge(result, type);
  if (isa<ir::MergeHeadsOp>(op))
    return split(result, type);
  View operand = result;
  if (isa<ir::AppendAxisOp>(op)) {
    operand.axes.pop_back();
    return operand;
  }
  for (auto [to, from] : llvm::enumerate(axisOrder(op)))
    operand.axes[from] = result.axes[to];
  return operand;
}

/// The value and everything that is a view of it, nearest first.
SmallVector<Value> viewsOf(Value value) {
  SmallVector<Value> views{value};
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i].getUsers())
      if (isView(user) && !llvm::is_contained(views, user->getResult(0)))
        views.push_back(user->getResult(0));
  return views;
}

} // namespace

View View::whole(Value home) {
  View view{home, {}};
  auto one = ir::ExtentAttr::get(home.getContext(), 1);
  for (auto [axis, extent] : llvm::enumerate(tensorType(home).getShape()))
    view.axes.push_back({extent, int(axis), one});
  return view;
}

bool View::hasUnitInnerStride() const {
  if (axes.empty() || axes.back().extent.isOne())
    return true;
  return axes.back().axis == tensorType(home).getRank() - 1 && axes.back().multiplier.isOne();
}

Placement::Placement(ir::KernelOp kernel) : outputs(kernel.getBody().front().getTerminator()->getOperands()) {
  for (BlockArgument argument : kernel.getBody().getArguments())
    placed.try_emplace(argument, View::whole(argument));
  for (Operation &op : kernel.getBody().front())
    if (!isView(&op))
      for (OpResult result : op.getResults())
        placed.try_emplace(result, place(result));
}

/// A result goes where it is wanted in the end: into an output, else into merged rows, else it has its own
/// home.
View Placement::place(OpResult result) const {
  SmallVector<Value> views = viewsOf(result);
  auto isOutput = [&](Value value) { return llvm::is_contained(outputs, value); };
  auto isMerged = [](Value value) { return isa_and_nonnull<ir::MergeHeadsOp>(value.getDefiningOp()); };
  for (Value target : llvm::make_filter_range(views, isOutput))
    if (std::optional<View> view = throughInverse(result.getOwner(), target))
      return *view;
  for (Value target : llvm::make_filter_range(views, isMerged))
    if (std::optional<View> view = throughInverse(result.getOwner(), target))
      return *view;
  return View::whole(result);
}

std::optional<View> Placement::throughInverse(Operation *producer, Value target) const {
  std::optional<View> view = View::whole(target);
  for (Operation *op = target.getDefiningOp(); view && op != producer; op = op->getOperand(0).getDefiningOp())
    view = backward(op, *view);
  return view && view->hasUnitInnerStride() ? view : std::nullopt;
}

std::optional<View> Placement::view(Value value) const {
  if (auto found = placed.find(value); found != placed.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  std::optional<View> operand = view(op->getOperand(0));
  return operand ? forward(op, *operand) : std::nullopt;
}

std::optional<unsigned> Placement::output(Value home) const {
  auto found = llvm::find(outputs, home);
  if (isa<BlockArgument>(home) || found == outputs.end())
    return std::nullopt;
  return found - outputs.begin();
}

namespace {

/// heed.map of the identity, right before `op`.
Value copyBefore(Operation *op, Value value) {
  OpBuilder builder(op);
  auto copy = ir::MapOp::create(builder, value.getLoc(), ir::tensorType(value), value, ValueRange());
  Block &body = copy.getBody().emplaceBlock();
  BlockArgument element = body.addArgument(tensorType(value).getScalarType(), value.getLoc());
  builder.setInsertionPointToEnd(&body);
  ir::YieldOp::create(builder, value.getLoc(), ValueRange(element));
  return copy.getResult();
}

/// Copies in front of the view operation at which the strides of `value` stop being expressible.
void copyBeforeBrokenView(const Placement &placement, Value value) {
  Operation *op = value.getDefiningOp();
  while (!placement.view(op->getOperand(0)))
    op = op->getOperand(0).getDefiningOp();
  op->setOperand(0, copyBefore(op, op->getOperand(0)));
}

/// Whether an output is itself the home of what the kernel computed.
bool isHome(const Placement &placement, OpOperand &output) {
  return placement.view(output.get())->home == output.get() &&
         placement.output(output.get()) == output.getOperandNumber();
}

/// The matrices that the fast kernels read by vectors; captures and the general path may have any strides.
bool needsUnitInnerStride(OpOperand &operand) {
  Value value = operand.get();
  if (auto attention = dyn_cast<ir::AttentionOp>(operand.getOwner()))
    return value == attention.getQuery() || value == attention.getKey() || value == attention.getValue();
  if (auto scores = dyn_cast<ir::ScoresOp>(operand.getOwner()))
    return value == scores.getQuery() || value == scores.getKey();
  auto linear = dyn_cast<ir::LinearOp>(operand.getOwner());
  return linear && (value == linear.getInput() || value == linear.getWeight() || value == linear.getBias());
}

/// Gives an operand a view that its owner can use; false when it has one.
bool mend(const Placement &placement, OpOperand &operand) {
  Operation *owner = operand.getOwner();
  std::optional<View> view = placement.view(operand.get());
  if (!view) {
    copyBeforeBrokenView(placement, operand.get());
    return true;
  }
  bool isUsable = isa<ir::ReturnOp>(owner) ? isHome(placement, operand)
                                           : !needsUnitInnerStride(operand) || view->hasUnitInnerStride();
  if (!isUsable)
    operand.set(copyBefore(owner, operand.get()));
  return !isUsable;
}

bool mendFirst(ir::KernelOp kernel) {
  Placement placement(kernel);
  for (Operation &op : kernel.getBody().front())
    if (!isView(&op))
      for (OpOperand &operand : op.getOpOperands())
        if (mend(placement, operand))
          return true;
  return false;
}

} // namespace

// A copy changes where its operand's producer writes, so the analysis starts anew after each.
void insertCopies(ir::KernelOp kernel) {
  while (mendFirst(kernel)) {
  }
}

} // namespace heed
