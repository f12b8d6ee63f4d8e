//===- Program.cpp - Mask and score programs ------------------------------===//

#include "Import/Program.h"

#include "Dialect/Scalars.h"

using namespace mlir;
using namespace heed::ir;

namespace heed {
namespace {

using spec::scalar_op;

class ProgramImporter {
public:
  ProgramImporter(OpBuilder &builder, Location location, const spec::graph &graph, const spec::node &node,
                  const ProgramScope &scope)
      : builder(builder), location(location), graph(graph), node(node), scope(scope),
        scalars(builder, location) {}

  Value run() {
    std::vector<bool> needed = neededInstructions(graph, node.program);
    values.resize(needed.size());
    for (size_t i = 0; i < needed.size(); ++i)
      if (needed[i])
        values[i] = build(graph.instructions[i]);
    return values.back();
  }

private:
  Type typeOf(spec::scalar_type type) {
    switch (type) {
    case spec::scalar_type::integer:
      return builder.getI64Type();
    case spec::scalar_type::real:
      return scope.real;
    case spec::scalar_type::truth:
      return builder.getI1Type();
    }
    llvm_unreachable("validated");
  }

  Value operand(const spec::instruction &instruction, int k, Type type) {
    return scalars.convert(values[instruction.operands[k]], type);
  }

  Value build(const spec::instruction &instruction) {
    Type type = typeOf(instruction.type);
    Value value = buildLeaf(instruction, type);
    return scalars.convert(value ? value : buildOperation(instruction, type), type);
  }

  Value buildLeaf(const spec::instruction &instruction, Type type) {
    switch (instruction.kind) {
    case scalar_op::position:
      return scope.positions[instruction.reference];
    case scalar_op::score:
      return scope.score;
    case scalar_op::number:
      return scalars.constant(instruction.number, type);
    case scalar_op::extent:
      return ExtentValueOp::create(builder, location, builder.getI64Type(),
                                   scope.extents[instruction.reference]);
    case scalar_op::element:
      return buildElement(instruction);
    default:
      return {};
    }
  }

  Value buildElement(const spec::instruction &instruction) {
    SmallVector<Value> indices;
    for (int k = 0; k < instruction.operand_count; ++k)
      indices.push_back(operand(instruction, k, builder.getI64Type()));
    unsigned capture = instruction.reference - firstCapture(node.kind);
    return ElementOp::create(builder, location, scope.captures[capture], indices);
  }

  /// Two operands of a comparison meet in the wider type: truth, integer, real.
  Value buildComparison(const spec::instruction &instruction, Comparison comparison) {
    Value left = values[instruction.operands[0]], right = values[instruction.operands[1]];
    Type type = builder.getI64Type();
    if (isa<FloatType>(left.getType()) || isa<FloatType>(right.getType()))
      type = scope.real;
    return scalars.compare(comparison, scalars.convert(left, type), scalars.convert(right, type));
  }

  Value buildOperation(const spec::instruction &instruction, Type type) {
    if (instruction.kind >= scalar_op::less && instruction.kind <= scalar_op::not_equal)
      return buildComparison(instruction, Comparison(int(instruction.kind) - int(scalar_op::less)));
    Type truth = builder.getI1Type();
    auto at = [&](int k, Type to) { return operand(instruction, k, to); };
    switch (instruction.kind) {
    case scalar_op::add:
      return scalars.add(at(0, type), at(1, type));
    case scalar_op::subtract:
      return scalars.subtract(at(0, type), at(1, type));
    case scalar_op::multiply:
      return scalars.multiply(at(0, type), at(1, type));
    case scalar_op::divide:
      return scalars.divide(at(0, type), at(1, type));
    case scalar_op::remainder:
      return scalars.remainder(at(0, type), at(1, type));
    case scalar_op::minimum:
      return scalars.minimum(at(0, type), at(1, type));
    case scalar_op::maximum:
      return scalars.maximum(at(0, type), at(1, type));
    case scalar_op::negate:
      return scalars.negate(at(0, type));
    case scalar_op::absolute:
      return scalars.absolute(at(0, type));
    case scalar_op::exponential:
      return scalars.create<math::ExpOp>(at(0, scope.real));
    case scalar_op::logarithm:
      return scalars.create<math::LogOp>(at(0, scope.real));
    case scalar_op::sine:
      return scalars.create<math::SinOp>(at(0, scope.real));
    case scalar_op::cosine:
      return scalars.create<math::CosOp>(at(0, scope.real));
    case scalar_op::hyperbolic_tangent:
      return scalars.create<math::TanhOp>(at(0, scope.real));
    case scalar_op::error_function:
      return scalars.create<math::ErfOp>(at(0, scope.real));
    case scalar_op::logistic:
      return scalars.logistic(at(0, scope.real));
    case scalar_op::logical_and:
      return scalars.logicalAnd(at(0, truth), at(1, truth));
    case scalar_op::logical_or:
      return scalars.logicalOr(at(0, truth), at(1, truth));
    case scalar_op::logical_not:
      return scalars.logicalNot(at(0, truth));
    case scalar_op::select:
      return scalars.select(at(0, truth), at(1, type), at(2, type));
    default:
      llvm_unreachable("leaves and comparisons are built elsewhere");
    }
  }

  OpBuilder &builder;
  Location location;
  const spec::graph &graph;
  const spec::node &node;
  const ProgramScope &scope;
  ScalarBuilder scalars;
  std::vector<Value> values;
};

} // namespace

int firstCapture(spec::op kind) { return kind == spec::op::tabulate ? 0 : 1; }

// Operands precede users, so one sweep down marks them all.
std::vector<bool> neededInstructions(const spec::graph &graph, int16_t result) {
  std::vector<bool> needed(result + 1);
  needed[result] = true;
  for (int i = result; i >= 0; --i)
    for (int k = 0; needed[i] && k < graph.instructions[i].operand_count; ++k)
      needed[graph.instructions[i].operands[k]] = true;
  return needed;
}

Value importProgram(OpBuilder &builder, Location location, const spec::graph &graph, const spec::node &node,
                    const ProgramScope &scope) {
  return ProgramImporter(builder, location, graph, node, scope).run();
}

} // namespace heed
