//===- ScoreProgram.cpp - An attention's regions for its kernel -----------===//

#include "ScoreProgram.h"

#include "Emitter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using Halide::Expr;

namespace heed {
namespace {

bool showsEveryKey(Block &region) { return matchPattern(region.getTerminator()->getOperand(1), m_One()); }

bool keepsScore(Block &region) {
  return region.getTerminator()->getOperand(0) == region.getArgument(ir::AttentionOp::scoreAt);
}

using Extents = SmallVectorImpl<ir::ExtentAttr>;

void addExtent(ir::ExtentAttr extent, Extents &extents) {
  if (!extent.isStatic() && !llvm::is_contained(extents, extent))
    extents.push_back(extent);
}

void addExtents(const KeyExpr &expr, Extents &extents) {
  if (expr.kind == KeyExpr::Kind::Extent)
    addExtent(expr.extent, extents);
  for (const KeyExpr &operand : expr.operands)
    addExtents(operand, extents);
}

/// Scalars of a tile function under the names that regions and ranges have for them.
class Known {
public:
  Known(const Extents &extents, const std::vector<Expr> &values) : extents(extents), values(values) {}

  Expr extent(ir::ExtentAttr extent) const {
    return extent.isStatic() ? Expr(int32_t(extent.getValue()))
                             : values[llvm::find(extents, extent) - extents.begin()];
  }

private:
  const Extents &extents;
  const std::vector<Expr> &values;
};

/// Bounds on keys as expressions of one block of queries.
struct BlockBounds {
  Expr firstQuery, lastQuery;
  std::function<Expr(ir::ExtentAttr)> extent;
  std::function<Expr(ir::ElementOp)> element;

  Expr operator()(const KeyExpr &expr) const {
    auto operand = [&](unsigned i) { return (*this)(expr.operands[i]); };
    switch (expr.kind) {
    case KeyExpr::Kind::FirstQuery:
      return firstQuery;
    case KeyExpr::Kind::LastQuery:
      return lastQuery;
    case KeyExpr::Kind::Extent:
      return extent(expr.extent);
    case KeyExpr::Kind::Element:
      return element(expr.element.getDefiningOp<ir::ElementOp>());
    case KeyExpr::Kind::FloorDivide:
      return operand(0) / int32_t(expr.number);
    case KeyExpr::Kind::Minimum:
      return Halide::min(operand(0), operand(1));
    case KeyExpr::Kind::Maximum:
      return Halide::max(operand(0), operand(1));
    case KeyExpr::Kind::Sum:
      break;
    }
    Expr sum = int32_t(expr.number);
    for (unsigned i = 0; i < expr.operands.size(); ++i)
      sum += term(int32_t(expr.coefficients[i]), expr.operands[i]);
    return Halide::Internal::simplify(sum);
  }

  /// The simplifier would multiply the numbers inside KeyExpr::allIfPositive, beyond 32 bits.
  Expr term(int32_t coefficient, const KeyExpr &factor) const {
    bool isCondition = std::abs(int64_t(coefficient)) == KeyExpr::positionLimit &&
                       factor.kind == KeyExpr::Kind::Minimum && factor.operands[0].asConstant() == 1;
    return isCondition ? Halide::select((*this)(factor) > 0, coefficient, 0) : coefficient * (*this)(factor);
  }
};

/// The values of a region that a value is computed from, itself included.
void forEachSource(Value value, llvm::function_ref<void(Value)> visit) {
  SmallVector<Value> stack{value};
  llvm::DenseSet<Value> seen{value};
  while (!stack.empty()) {
    Value source = stack.pop_back_val();
    visit(source);
    if (Operation *op = source.getDefiningOp())
      for (Value operand : op->getOperands())
        if (seen.insert(operand).second)
          stack.push_back(operand);
  }
}

} // namespace

ScoreProgram::ScoreProgram(Block &body, Region &weighing, std::optional<MaskRanges> ranges,
                           const Captures &captures)
    : body(body), weighing(weighing.empty() ? nullptr : &weighing.front()), captures(captures),
      ranges(std::move(ranges)) {
  for (const Capture &capture : captures.list())
    operands.push_back({.type = elementTypeOf(capture.tensor),
                        .alongKeys = capture.axes[3].has_value(),
                        .alongRows = capture.axes[2].has_value(),
                        .tableRank = capture.isTable() ? int(capture.table.size()) : -1});
  for (Block *region : {&body, this->weighing})
    if (region)
      for (auto value : region->getOps<ir::ExtentValueOp>())
        addExtent(value.getExtent(), extents);
  if (this->ranges)
    for (const KeyRange &range : {this->ranges->visible, this->ranges->full})
      for (const KeyExpr &bound : {range.lower, range.upper})
        addExtents(bound, extents);
}

RegionInputs ScoreProgram::inputs(Block &region, const Expr &first, const kernels::ScorePosition &at,
                                  const kernels::ElementAt &element,
                                  const std::vector<Expr> &extentValues) const {
  RegionInputs inputs;
  inputs.elements[region.getArgument(ir::AttentionOp::scoreAt)] = first;
  for (auto [number, position] : llvm::enumerate(ArrayRef<Expr>{at.batch, at.head, at.query, at.key}))
    inputs.positions[region.getArgument(ir::AttentionOp::batchAt + number)] = position;
  inputs.element = [&](ir::ElementOp op, ArrayRef<Expr> indices) {
    unsigned number = captures.number(op);
    std::vector<Expr> inTable;
    for (int64_t axis : captures.list()[number].table)
      inTable.push_back(indices[axis]);
    return element(number, inTable);
  };
  inputs.extent = [&](ir::ExtentAttr extent) { return Known(extents, extentValues).extent(extent); };
  return inputs;
}

kernels::ScoreAndVisible ScoreProgram::apply(const Expr &score, const kernels::ScorePosition &at,
                                             const kernels::ElementAt &element,
                                             const std::vector<Expr> &extentValues) const {
  std::vector<Expr> results = evaluateRegion(body, inputs(body, score, at, element, extentValues));
  return {results[0], showsEveryKey(body) ? Expr() : results[1]};
}

/// `numberOf` translates the number of a capture into the kernel's.
void ScoreProgram::addRanges(kernels::ScoreProgram &program, std::function<size_t(size_t)> numberOf) const {
  auto range = [this, numberOf](const KeyRange &keys) {
    return [this, &keys, numberOf](Expr first, Expr last, Expr, const kernels::ElementAt &element,
                                   const std::vector<Expr> &values) {
      BlockBounds bound{first, last,
                        [&](ir::ExtentAttr extent) { return Known(extents, values).extent(extent); },
                        [&](ir::ElementOp op) { return element(numberOf(captures.number(op)), {}); }};
      return kernels::KeyRange{bound(keys.lower), bound(keys.upper)};
    };
  };
  if (!ranges)
    return;
  program.visibleKeys = range(ranges->visible);
  program.fullKeys = range(ranges->full);
}

kernels::ScoreProgram ScoreProgram::functions(Value zeroProbability, bool rowsAreHeads) const {
  kernels::ScoreProgram program;
  program.captures = operands;
  if (rowsAreHeads)
    for (auto [operand, capture] : llvm::zip_equal(program.captures, captures.list()))
      operand.alongRows = capture.axes[1].has_value();
  program.extents = extents.size();
  if (weighing)
    program.weigh = [this, zeroProbability](Expr weight, auto &at, auto &element, auto &values) {
      RegionInputs read = inputs(*weighing, weight, at, element, values);
      read.zeroProbability = zeroProbability;
      return evaluateRegion(*weighing, read).front();
    };
  if (keepsScore(body) && showsEveryKey(body))
    return program;
  program.apply = [this](Expr score, auto &at, auto &element, auto &values) {
    return apply(score, at, element, values);
  };
  addRanges(program, [](size_t number) { return number; });
  return program;
}

llvm::SmallVector<unsigned> ScoreProgram::visibilityReads() const {
  SmallVector<unsigned> reads;
  auto read = [&](Value source) {
    if (auto element = source.getDefiningOp<ir::ElementOp>())
      if (unsigned number = captures.number(element); !llvm::is_contained(reads, number))
        reads.push_back(number);
  };
  forEachSource(body.getTerminator()->getOperand(1), read);
  return reads;
}

bool ScoreProgram::visibilityUses(unsigned argument) const {
  bool uses = false;
  forEachSource(body.getTerminator()->getOperand(1),
                [&](Value source) { uses |= source == body.getArgument(argument); });
  return uses;
}

bool ScoreProgram::indexesByHead() const {
  bool byHead = llvm::any_of(captures.list(),
                             [](const Capture &capture) { return capture.isTable() && capture.axes[1]; });
  auto visit = [&](auto &self, const KeyExpr &bound) -> void {
    if (bound.kind == KeyExpr::Kind::Element) {
      auto element = bound.element.getDefiningOp<ir::ElementOp>();
      byHead |= captures.list()[captures.number(element)].axes[1].has_value();
    }
    for (const KeyExpr &operand : bound.operands)
      self(self, operand);
  };
  if (ranges)
    for (const KeyRange &range : {ranges->visible, ranges->full})
      for (const KeyExpr &bound : {range.lower, range.upper})
        visit(visit, bound);
  return byHead;
}

bool ScoreProgram::needsKeyLists() const {
  return hidesKeys() && ranges && !ranges->exact && !visibilityUses(ir::AttentionOp::scoreAt);
}

bool ScoreProgram::hidesKeys() const { return !showsEveryKey(body); }

kernels::ScoreProgram ScoreProgram::visibility(ArrayRef<unsigned> reads) const {
  kernels::ScoreProgram program;
  for (unsigned number : reads)
    program.captures.push_back(operands[number]);
  program.extents = extents.size();
  SmallVector<unsigned> list(reads);
  auto numberOf = [list](size_t number) -> size_t { return llvm::find(list, number) - list.begin(); };
  program.apply = [this, numberOf](Expr, auto &at, auto &element, auto &values) {
    // The score, of the region's type, and what only it reads may be anything.
    Expr score =
        Halide::Internal::make_zero(halideType(body.getArgument(ir::AttentionOp::scoreAt).getType()));
    auto known = [&](size_t number, const std::vector<Expr> &indices) {
      size_t here = numberOf(number);
      return here < numberOf(operands.size()) ? element(here, indices)
                                              : Halide::Internal::make_zero(operands[number].type);
    };
    return apply(score, at, known, values);
  };
  addRanges(program, numberOf);
  return program;
}

std::string ScoreProgram::text() const {
  std::string text = canonicalText(body, captures);
  if (ranges)
    text += ranges->visible.str() + ranges->full.str();
  if (weighing)
    text += "weighing " + canonicalText(*weighing, captures);
  for (ir::ExtentAttr extent : extents)
    text += "|" + extent.str();
  for (const kernels::Capture &operand : operands)
    text += keyOf(operand.type, operand.alongKeys, operand.alongRows, operand.tableRank);
  return text;
}

} // namespace heed
