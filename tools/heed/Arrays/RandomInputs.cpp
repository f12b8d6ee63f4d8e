#include "Arrays/RandomInputs.h"

#include "Arrays/IntegerRanges.h"
#include "Kernels/Scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::tools {

using reference::SymbolValues;

namespace {

/// Rows are drawn with a probability each, which is 0 or 1 for some.
void fillCondition(HostTensor &tensor, std::mt19937_64 &random) {
  static constexpr double probabilities[] = {0, 0.1, 0.5, 0.5, 0.9, 1};
  std::int64_t row = tensor.shape.empty() ? 1 : std::max<std::int64_t>(tensor.shape.back(), 1);
  double probability = 1;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    if (i % row == 0)
      probability = probabilities[random() % std::size(probabilities)];
    tensor.set(i, std::bernoulli_distribution(probability)(random));
  }
}

/// A quarter of the tensors is constant, so that a mask of identifiers hides nothing and one of lengths
/// everything or nothing.
void fillInteger(HostTensor &tensor, std::int64_t largest, std::mt19937_64 &random) {
  std::uniform_int_distribution<std::int64_t> integers(-1, largest);
  std::int64_t constant = integers(random);
  bool isConstant = random() % 4 == 0;
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, isConstant ? constant : integers(random));
}

/// Whether a dropout takes the scalar as its operand `place`.
bool isDropoutOperand(const spec::graph &kernel, int index, int place) {
  for (int i = index + 1; i < kernel.node_count; ++i)
    if (kernel.nodes[i].kind == spec::op::dropout && kernel.nodes[i].operands[place] == index)
      return true;
  return false;
}

/// Of rows that are appended: any at which they fit, often the first or the last.
void fillPosition(HostTensor &tensor, std::int64_t largest, std::mt19937_64 &random) {
  std::uniform_int_distribution<std::int64_t> positions(0, std::max<std::int64_t>(largest, 0));
  const std::int64_t choices[] = {0, positions.max(), positions(random), positions(random)};
  tensor.set(0, choices[random() % std::size(choices)]);
}

void fillProbability(HostTensor &tensor, std::mt19937_64 &random) {
  static constexpr double probabilities[] = {0, 0.1, 0.1, 0.25, 0.5, 1};
  tensor.set(0, probabilities[random() % std::size(probabilities)]);
}

void fillNormal(HostTensor &tensor, double deviation, std::mt19937_64 &random) {
  std::normal_distribution<double> normal(0, deviation);
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, normal(random));
}

double deviationOf(const spec::node &node, const Shape &shape) {
  if (node.kind != spec::op::weight || shape.size() < 2)
    return 1;
  return 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(shape.back(), 1)));
}

} // namespace

HostTensor drawForVerify(const spec::graph &kernel, int index, const SymbolValues &values,
                         std::mt19937_64 &random) {
  const spec::node &node = kernel.nodes[index];
  Shape shape = *reference::shapeOf(kernel, node, values);
  HostTensor tensor = HostTensor::zeros(node.type, shape);
  if (isDropoutOperand(kernel, index, 1))
    fillProbability(tensor, random);
  else if (isDropoutOperand(kernel, index, 2))
    tensor.set(0, static_cast<std::int64_t>(random()));
  else if (std::optional<std::int64_t> largest = largestPosition(kernel, index, values))
    fillPosition(tensor, *largest, random);
  else if (isCondition(kernel, index))
    fillCondition(tensor, random);
  else if (!isFloat(node.type))
    fillInteger(tensor, largestInteger(kernel, index, values), random);
  else
    fillNormal(tensor, deviationOf(node, shape), random);
  for (const ScoreChain &chain : scoreChains(kernel))
    if (isFloat(node.type) && std::count(chain.biases.begin(), chain.biases.end(), index))
      for (std::int64_t i = 0; i < tensor.size(); ++i)
        if (random() % 8 == 0)
          tensor.set(i, -std::numeric_limits<double>::infinity());
  return tensor;
}

HostTensor drawForBench(const spec::graph &kernel, int index, const SymbolValues &values,
                        std::mt19937_64 &random) {
  const spec::node &node = kernel.nodes[index];
  Shape shape = *reference::shapeOf(kernel, node, values);
  HostTensor tensor = HostTensor::zeros(node.type, shape);
  if (isDropoutOperand(kernel, index, 1))
    tensor.set(0, 0.1);
  else if (std::optional<std::int64_t> largest = largestPosition(kernel, index, values))
    tensor.set(0, std::max<std::int64_t>(*largest, 0));
  else if (isFloat(node.type) && !isCondition(kernel, index))
    fillNormal(tensor, deviationOf(node, shape), random);
  else if (!isDropoutOperand(kernel, index, 2))
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      tensor.set(i, isCondition(kernel, index) ? 1 : largestInteger(kernel, index, values));
  return tensor;
}

Inputs completedForBench(const spec::graph &kernel, const SymbolValues &values, Inputs given) {
  std::mt19937_64 random(1);
  for (int index : reference::argumentNodes(kernel))
    if (!given.count(index))
      given.emplace(index, drawForBench(kernel, index, values, random));
  return given;
}

} // namespace heed::tools
