//===- Placement.cpp - Where the values of a kernel lie -------------------===//

#include "Placement.h"

#include "heed/abi.h"
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
           {size, inner.axis, inner.multiplier}},
          merged.offsets};
}

/// (b, H, s, D) as (b, s, H·D): only where the heads lie side by side.
std::optional<View> merge(const View &heads, ir::TensorType type) {
  const ViewAxis &head = heads.axes[1], &inner = heads.axes[3];
  if (!head.extent.isOne() &&
      (head.axis != inner.axis || head.multiplier != inner.multiplier.multiply(inner.extent)))
    return std::nullopt;
  return View{heads.home,
              {heads.axes[0], heads.axes[2], {type.getExtent(2), inner.axis, inner.multiplier}},
              heads.offsets};
}

/// a + b, where one is a multiple of the other.
std::optional<ir::ExtentAttr> sum(ir::ExtentAttr a, ir::ExtentAttr b) {
  ir::ExtentAttr ratio = b.divide(a);
  int64_t numerator;
  if (!ratio.getSymbols().empty() ||
      llvm::AddOverflow(ratio.getNumerator(), ratio.getDenominator(), numerator))
    return std::nullopt;
  return a.multiply(ir::ExtentAttr::get(a.getContext(), numerator, ratio.getDenominator(), {}, {}));
}

/// (…, n, …) as the part of an axis from `start` on. A program holds a few offsets only.
std::optional<View> slice(View view, ir::SliceOp op) {
  ViewAxis &axis = view.axes[op.getAxis()];
  axis.extent = op.getType().getExtent(op.getAxis());
  if (!op.getStart() || op.getStart()->getNumerator() == 0)
    return view;
  ir::ExtentAttr start = op.getStart()->multiply(axis.multiplier);
  for (ViewOffset &offset : view.offsets)
    if (std::optional<ir::ExtentAttr> both;
        offset.axis == axis.axis && offset.extent && (both = sum(offset.extent, start))) {
      offset.extent = *both;
      return view;
    }
  view.offsets.push_back({axis.axis, start});
  return view.offsets.size() <= HEED_MAX_OFFSETS ? std::optional(view) : std::nullopt;
}

/// The part of the state that an append fills.
View window(ir::AppendOp op) {
  View view = View::whole(op.getCache());
  view.axes[op.getAxis()].extent = ir::tensorType(op.getRows()).getExtent(op.getAxis());
  view.offsets.push_back({int(op.getAxis()), {}, op.getPosition()});
  return view;
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
  if (auto drop = dyn_cast<ir::DropAxisOp>(op)) {
    result.axes.erase(result.axes.begin() + drop.getAxis());
    return result;
  }
  if (auto part = dyn_cast<ir::SliceOp>(op))
    return slice(operand, part);
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
  if (auto drop = dyn_cast<ir::DropAxisOp>(op)) {
    auto one = ir::ExtentAttr::get(op->getContext(), 1);
    operand.axes.insert(operand.axes.begin() + drop.getAxis(), {one, /*axis=*/0, one});
    return operand;
  }
  if (isa<ir::SliceOp>(op)) // the rest of the operand has no place there
    return std::nullopt;
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

ir::SplitHeadsOp headsWrittenBy(ir::LinearOp linear) {
  constexpr int64_t vector = 16;
  if (!linear || !linear->hasOneUse() || !linear.getEpilogue().empty())
    return {};
  auto heads = dyn_cast<ir::SplitHeadsOp>(*linear->user_begin());
  ir::ExtentAttr depth = heads ? heads.getType().getExtent(3) : ir::ExtentAttr();
  return depth && depth.isStatic() && depth.getValue() % vector == 0 ? heads : ir::SplitHeadsOp();
}

Placement::Placement(ir::KernelOp kernel) : outputs(kernel.getBody().front().getTerminator()->getOperands()) {
  for (BlockArgument argument : kernel.getBody().getArguments())
    placed.try_emplace(argument, View::whole(argument));
  for (Operation &op : kernel.getBody().front())
    if (auto append = dyn_cast<ir::AppendOp>(op))
      placed.try_emplace(append.getResult(), View::whole(append.getCache()));
    else if (ir::SplitHeadsOp heads = headsWrittenBy(dyn_cast<ir::LinearOp>(&op)))
      placed.try_emplace(heads.getResult(), place(heads->getResult(0)));
    else if (!isView(&op))
      for (OpResult result : op.getResults())
        placed.try_emplace(result, place(result));
}

/// A result goes where it is wanted in the end: into an output, else into a state, else into merged rows,
/// else it has its own home.
View Placement::place(OpResult result) const {
  SmallVector<Value> views = viewsOf(result);
  auto isOutput = [&](Value value) { return llvm::is_contained(outputs, value); };
  auto isMerged = [](Value value) { return isa_and_nonnull<ir::MergeHeadsOp>(value.getDefiningOp()); };
  for (Value target : llvm::make_filter_range(views, isOutput))
    if (std::optional<View> view = throughInverse(result.getOwner(), target, View::whole(target)))
      return *view;
  for (Value target : views)
    for (Operation *user : target.getUsers())
      if (auto append = dyn_cast<ir::AppendOp>(user))
        if (std::optional<View> view = throughInverse(result.getOwner(), target, window(append)))
          return *view;
  for (Value target : llvm::make_filter_range(views, isMerged))
    if (std::optional<View> view = throughInverse(result.getOwner(), target, View::whole(target)))
      return *view;
  return View::whole(result);
}

std::optional<View> Placement::throughInverse(Operation *producer, Value target, View view) {
  std::optional<View> result = std::move(view);
  for (Operation *op = target.getDefiningOp(); result && op != producer;
       op = op->getOperand(0).getDefiningOp())
    result = backward(op, *result);
  return result && result->hasUnitInnerStride() ? result : std::nullopt;
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

/// Whether an output is itself the home of what the kernel computed. A state always is that of its append.
bool isHome(const Placement &placement, OpOperand &output) {
  auto kernel = output.getOwner()->getParentOfType<ir::KernelOp>();
  if (kernel.getStateOf(output.getOperandNumber()))
    return true;
  return placement.view(output.get())->home == output.get() &&
         placement.output(output.get()) == output.getOperandNumber();
}

/// Whether an operand is captured and its innermost axis runs with the keys.
template <typename Op> bool isReadAlongKeys(Op op, Value value) {
  ValueRange captures = op.getCaptures();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (auto element : block.getOps<ir::ElementOp>()) {
        unsigned argument = cast<BlockArgument>(element.getTensor()).getArgNumber();
        if (captures[argument - (block.getNumArguments() - captures.size())] == value &&
            !element.getIndices().empty() &&
            element.getIndices().back() == block.getArgument(ir::AttentionOp::keyAt))
          return true;
      }
  return false;
}

/// The matrices that the fast kernels read by vectors; other captures and the general path may have any
/// strides.
bool needsUnitInnerStride(OpOperand &operand) {
  Value value = operand.get();
  if (auto attention = dyn_cast<ir::AttentionOp>(operand.getOwner()))
    return value == attention.getQuery() || value == attention.getKey() || value == attention.getValue() ||
           isReadAlongKeys(attention, value);
  if (auto scores = dyn_cast<ir::ScoresOp>(operand.getOwner()))
    return value == scores.getQuery() || value == scores.getKey() || isReadAlongKeys(scores, value);
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
  bool isUsable = !needsUnitInnerStride(operand) || view->hasUnitInnerStride();
  if (isa<ir::ReturnOp>(owner))
    isUsable = isHome(placement, operand);
  else if (auto append = dyn_cast<ir::AppendOp>(owner); append && operand.get() == append.getRows())
    isUsable = *view == window(append);
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
