#include "Arrays/RandomInputs.h"

#include "Kernels/Scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::tools {

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

void fillInteger(HostTensor &tensor, std::mt19937_64 &random) {
  std::int64_t largest = 1;
  for (std::int64_t extent : tensor.shape)
    largest = std::max(largest, extent);
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, std::uniform_int_distribution<std::int64_t>(-1, largest)(random));
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

HostTensor drawForVerify(const spec::graph &kernel, int index, const Shape &shape, std::mt19937_64 &random) {
  const spec::node &node = kernel.nodes[index];
  HostTensor tensor = HostTensor::zeros(node.type, shape);
  if (isCondition(kernel, index))
    fillCondition(tensor, random);
  else if (!isFloat(node.type))
    fillInteger(tensor, random);
  else
    fillNormal(tensor, deviationOf(node, shape), random);
  for (const ScoreChain &chain : scoreChains(kernel))
    if (isFloat(node.type) && std::count(chain.biases.begin(), chain.biases.end(), index))
      for (std::int64_t i = 0; i < tensor.size(); ++i)
        if (random() % 8 == 0)
          tensor.set(i, -std::numeric_limits<double>::infinity());
  return tensor;
}

HostTensor drawForBench(const spec::graph &kernel, int index, const Shape &shape, std::mt19937_64 &random) {
  const spec::node &node = kernel.nodes[index];
  HostTensor tensor = HostTensor::zeros(node.type, shape);
  if (isCondition(kernel, index))
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      tensor.set(i, 1);
  else if (isFloat(node.type))
    fillNormal(tensor, deviationOf(node, shape), random);
  return tensor;
}

} // namespace heed::tools
