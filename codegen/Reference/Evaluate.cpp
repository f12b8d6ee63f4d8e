#include "Reference/Evaluate.h"

#include "Reference/Operations.h"
#include "Reference/Program.h"

#include <limits>

namespace heed::reference {

namespace {

using spec::op;

/// mask hides a score where the program is false; score_mod replaces it.
Tensor runProgram(const spec::graph &kernel, const spec::node &node, std::vector<const Tensor *> operands,
                  const SymbolValues &symbols) {
  const Tensor &scores = *operands[0];
  Program program(kernel, node, operands, symbols, unitRoundoff(node.type));
  Tensor result = zeros(scores.shape);
  Shape index(scores.shape.size(), 0);
  for (std::size_t i = 0; i < scores.elements.size(); ++i) {
    Scalar value = program.run(index, scores.elements[i]);
    if (node.kind == op::score_mod)
      result.elements[i] = asReal(value);
    else
      result.elements[i] =
          asTruth(value) ? scores.elements[i] : Number{-std::numeric_limits<double>::infinity()};
    advance(index, scores.shape);
  }
  return result;
}

Tensor evaluateNode(const spec::graph &kernel, const spec::node &node, const std::vector<Tensor> &values,
                    const SymbolValues &symbols, const Shape &shape) {
  std::vector<const Tensor *> operands;
  for (int i = 0; i < node.operand_count; ++i)
    operands.push_back(&values[node.operands[i]]);
  double u = unitRoundoff(node.type);
  switch (node.kind) {
  case op::constant:
    return {shape, {constant(node.value, u)}};
  case op::linear:
    return linear(*operands[0], *operands[1], operands.size() > 2 ? operands[2] : nullptr, shape, u);
  case op::matmul:
    return matmul(*operands[0], *operands[1], shape, u);
  case op::transpose: {
    std::vector<int> permutation(node.rank);
    for (int axis = 0; axis < node.rank; ++axis)
      permutation[axis] = axis < node.rank - 2 ? axis : 2 * node.rank - 3 - axis;
    return permute(*operands[0], permutation);
  }
  case op::permute:
    return permute(*operands[0], std::vector<int>(node.permutation, node.permutation + node.rank));
  case op::split_heads:
    return splitHeads(*operands[0], shape);
  case op::merge_heads:
    return mergeHeads(*operands[0], shape);
  case op::softmax:
    return softmax(*operands[0], u);
  case op::mask:
  case op::score_mod:
    return runProgram(kernel, node, operands, symbols);
  default:
    return elementwise(node, operands, shape);
  }
}

/// The last node that reads each node, so that a tensor can be dropped as soon as nobody needs it.
std::vector<int> lastUses(const spec::graph &kernel) {
  std::vector<int> last(kernel.node_count, -1);
  for (int i = 0; i < kernel.node_count; ++i)
    for (int j = 0; j < kernel.nodes[i].operand_count; ++j)
      last[kernel.nodes[i].operands[j]] = i;
  for (int i = 0; i < kernel.output_count; ++i)
    last[kernel.outputs[i].node] = kernel.node_count;
  return last;
}

} // namespace

Evaluation evaluate(const spec::graph &kernel, std::span<const Tensor> arguments) {
  Evaluation result;
  SymbolValues symbols(kernel.symbol_count, -1);
  std::vector<Shape> shapes;
  for (const Tensor &argument : arguments)
    shapes.push_back(argument.shape);
  result.error = bindSymbols(kernel, shapes, symbols);
  if (!result.error.empty())
    return result;
  std::vector<Tensor> values(kernel.node_count);
  std::vector<int> last = lastUses(kernel);
  std::size_t nextArgument = 0;
  for (int i = 0; i < kernel.node_count; ++i) {
    const spec::node &node = kernel.nodes[i];
    if (node.kind == op::input || node.kind == op::weight)
      values[i] = arguments[nextArgument++];
    else if (last[i] >= 0)
      values[i] = evaluateNode(kernel, node, values, symbols, *shapeOf(kernel, node, symbols));
    for (int j = 0; j < node.operand_count; ++j)
      if (last[node.operands[j]] == i)
        values[node.operands[j]] = {};
  }
  for (int i = 0; i < kernel.output_count; ++i)
    result.outputs.push_back(values[kernel.outputs[i].node]);
  return result;
}

} // namespace heed::reference
