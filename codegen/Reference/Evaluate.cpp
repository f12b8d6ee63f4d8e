#include "Reference/Evaluate.h"

#include "Reference/Operations.h"
#include "Reference/Program.h"
#include "Reference/Rounding.h"
#include "Reference/Rows.h"
#include "Reference/Softmax.h"

#include <limits>
#include <map>

namespace heed::reference {

namespace {

using spec::op;

/// mask hides a score where the program is false; score_mod replaces it. A weight of 0 that stays 0 stays
/// absent.
Tensor runProgram(const spec::graph &kernel, const spec::node &node, std::vector<const Tensor *> operands,
                  const SymbolValues &symbols) {
  const Tensor &scores = *operands[0];
  Program program(kernel, node, operands, symbols, computingRoundoff(node.type));
  Tensor result = zeros(scores.shape);
  Shape index(scores.shape.size(), 0);
  for (std::size_t i = 0; i < scores.elements.size(); ++i) {
    const Number &score = scores.elements[i];
    Scalar value = program.run(index, score);
    Number &element = result.elements[i];
    element = node.kind == op::score_mod ? asReal(value)
                                         : chosen(asTruth(value), isUncertain(value), score, hiddenScore());
    if (score.absent && element.value == 0 && element.bound <= underflow)
      element = {0, 0, true};
    advance(index, scores.shape);
  }
  return result;
}

/// The program at every index. Reals are computed in float where the result is none.
Tensor tabulate(const spec::graph &kernel, const spec::node &node, std::vector<const Tensor *> operands,
                const SymbolValues &symbols, const Shape &shape) {
  double u = computingRoundoff(node.type);
  Program program(kernel, node, operands, symbols, u == 0 ? unitRoundoff(spec::dtype::f32) : u);
  Tensor result = zeros(shape);
  Shape index(shape.size(), 0);
  for (Number &element : result.elements) {
    element = asReal(program.run(index, {}));
    advance(index, shape);
  }
  return result;
}

const Tensor *operandOrNull(const std::vector<const Tensor *> &operands, std::size_t i) {
  return i < operands.size() ? operands[i] : nullptr;
}

std::int64_t startOf(const spec::graph &kernel, const spec::node &slice, const SymbolValues &symbols) {
  return slice.start < 0 ? 0 : extentValue(kernel, slice.start, symbols).value_or(0);
}

/// What no element of the type is below.
double lowestOf(spec::dtype type) {
  if (type == spec::dtype::i32)
    return std::numeric_limits<std::int32_t>::min();
  if (type == spec::dtype::i64)
    return static_cast<double>(std::numeric_limits<std::int64_t>::min());
  return -std::numeric_limits<double>::infinity();
}

/// What is wrong with the position of an append; empty if nothing is.
std::string positionError(const spec::graph &kernel, const spec::node &append,
                          const std::vector<Tensor> &values) {
  const Tensor &cache = values[append.operands[0]], &rows = values[append.operands[1]];
  std::int64_t position = values[append.operands[2]].integer(0);
  std::int64_t whole = cache.shape[append.axis], part = rows.shape[append.axis];
  if (position >= 0 && position <= whole - part)
    return {};
  return std::string(kernel.nodes[append.operands[2]].name) + ": is " + std::to_string(position) + ", " +
         std::to_string(part) + " rows are appended to the " + std::to_string(whole) + " of " +
         kernel.nodes[append.operands[0]].name + ", needs a position from which they fit\n";
}

Tensor evaluateNode(const spec::graph &kernel, const spec::node &node, const std::vector<Tensor> &values,
                    const SymbolValues &symbols, const Shape &shape) {
  std::vector<const Tensor *> operands;
  for (int i = 0; i < node.operand_count; ++i)
    operands.push_back(&values[node.operands[i]]);
  double u = computingRoundoff(node.type);
  switch (node.kind) {
  case op::constant:
    return {shape, {constant(node.value, u)}};
  case op::linear:
    return linear(*operands[0], *operands[1], operandOrNull(operands, 2), shape, u);
  case op::matmul:
    return kernel.nodes[node.operands[1]].type == spec::dtype::bf16 &&
                   !isArgument(kernel.nodes[node.operands[0]].kind)
               ? matmul(maybeNarrowed(*operands[0]), *operands[1], shape, u)
               : matmul(*operands[0], *operands[1], shape, u);
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
  case op::append_axis:
  case op::drop_axis:
    return {shape, operands[0]->elements, operands[0]->integers};
  case op::slice:
    return slice(*operands[0], node.axis, startOf(kernel, node, symbols), shape);
  case op::append:
    return append(*operands[0], *operands[1], operands[2]->integer(0), node.axis);
  case op::repeat_heads:
    return repeatHeads(*operands[0], shape);
  case op::softmax:
    return softmax(*operands[0], operandOrNull(operands, 1), node.nan_for_empty, u);
  case op::log_sum_exp:
    return logSumExp(*operands[0], operandOrNull(operands, 1), shape, u);
  case op::sum:
    return sum(*operands[0], shape, u);
  case op::amax:
    return amax(*operands[0], shape, lowestOf(node.type));
  case op::argmax:
    return argmax(*operands[0], shape);
  case op::layer_norm:
    return layerNorm(*operands[0], operandOrNull(operands, 1), operandOrNull(operands, 2), node.value, u);
  case op::rms_norm:
    return rmsNorm(*operands[0], operandOrNull(operands, 1), node.value, u);
  case op::dropout:
    return dropout(*operands[0], operands[1]->elements[0], operands[2]->integer(0), node.site, u);
  case op::mask:
  case op::score_mod:
    return runProgram(kernel, node, operands, symbols);
  case op::tabulate:
    return tabulate(kernel, node, operands, symbols, shape);
  default:
    return elementwise(node, operands, shape);
  }
}

/// The last node that reads each node, so that a tensor can be dropped as soon as nobody needs it; -1 for a
/// node that nobody needs at all.
std::vector<int> lastUses(const spec::graph &kernel, std::span<const int> wanted) {
  std::vector<bool> needed = neededNodes(kernel, wanted);
  std::vector<int> last(kernel.node_count, -1);
  for (int i = 0; i < kernel.node_count; ++i)
    for (int j = 0; needed[i] && j < kernel.nodes[i].operand_count; ++j)
      last[kernel.nodes[i].operands[j]] = i;
  for (int node : wanted)
    last[node] = kernel.node_count;
  return last;
}

} // namespace

std::vector<int> resultNodes(const spec::graph &kernel) {
  std::vector<int> nodes;
  for (int i = 0; i < kernel.output_count; ++i)
    nodes.push_back(kernel.outputs[i].node);
  for (int i = 0; i < kernel.node_count; ++i)
    if (kernel.nodes[i].kind == op::append)
      nodes.push_back(i);
  return nodes;
}

std::vector<bool> neededNodes(const spec::graph &kernel, std::span<const int> nodes) {
  std::vector<bool> needed(kernel.node_count, false);
  for (int node : nodes)
    needed[node] = true;
  for (int i = kernel.node_count - 1; i >= 0; --i)
    for (int j = 0; needed[i] && j < kernel.nodes[i].operand_count; ++j)
      needed[kernel.nodes[i].operands[j]] = true;
  return needed;
}

Evaluation evaluate(const spec::graph &kernel, std::span<const Tensor> arguments) {
  return evaluate(kernel, arguments, resultNodes(kernel));
}

Evaluation evaluate(const spec::graph &kernel, std::span<const Tensor> arguments,
                    std::span<const int> nodes) {
  Evaluation result;
  SymbolValues symbols(kernel.symbol_count, -1);
  std::vector<Shape> shapes;
  for (const Tensor &argument : arguments)
    shapes.push_back(argument.shape);
  result.error = bindSymbols(kernel, shapes, symbols);
  if (!result.error.empty())
    return result;
  std::vector<Tensor> values(kernel.node_count);
  std::map<int, Tensor> results;
  std::vector<bool> isScore = unroundedScores(kernel);
  std::vector<int> last = lastUses(kernel, nodes);
  std::size_t nextArgument = 0;
  for (int i = 0; i < kernel.node_count; ++i) {
    const spec::node &node = kernel.nodes[i];
    if (isArgument(node.kind))
      values[i] = arguments[nextArgument++];
    else if (last[i] >= 0 && node.kind == op::append)
      result.error += positionError(kernel, node, values);
    if (!result.error.empty())
      return result;
    if (!isArgument(node.kind) && last[i] >= 0) {
      Tensor exact = evaluateNode(kernel, node, values, symbols, *shapeOf(kernel, node, symbols));
      if (last[i] == kernel.node_count)
        results[i] = isView(node.kind) ? exact : stored(exact, node.type);
      bool staysAsIs = isScore[i] || isView(node.kind);
      values[i] = staysAsIs ? std::move(exact) : maybeStored(std::move(exact), node.type);
    }
    for (int j = 0; j < node.operand_count; ++j)
      if (last[node.operands[j]] == i)
        values[node.operands[j]] = {};
  }
  for (int node : nodes)
    result.outputs.push_back(isArgument(kernel.nodes[node].kind) ? values[node] : results[node]);
  return result;
}

} // namespace heed::reference
