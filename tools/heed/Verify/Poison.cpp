#include "Verify/Poison.h"

#include "Kernels/Scores.h"

#include <algorithm>
#include <cmath>

namespace heed::tools {

using spec::op;

namespace {

/// The node behind views, repeated heads and appended rows.
int viewed(const spec::graph &kernel, int node) {
  while (kernel.nodes[node].kind == op::transpose || kernel.nodes[node].kind == op::repeat_heads ||
         kernel.nodes[node].kind == op::append)
    node = kernel.nodes[node].operands[0];
  return node;
}

bool isKeyOrValue(const spec::graph &kernel, int argument) {
  for (const ScoreChain &chain : scoreChains(kernel)) {
    if (chain.matmul >= 0 && viewed(kernel, kernel.nodes[chain.matmul].operands[1]) == argument)
      return true;
    for (int i = chain.weights + 1; i < kernel.node_count; ++i) {
      const spec::node &node = kernel.nodes[i];
      if (node.kind == op::matmul && weightsBehind(kernel, node.operands[0]) == chain.weights &&
          viewed(kernel, node.operands[1]) == argument)
        return true;
    }
  }
  return false;
}

} // namespace

void poison(const spec::graph &kernel, int node, HostTensor &tensor, std::mt19937_64 &random) {
  if (!isFloat(tensor.type) || tensor.shape.size() < 2 || tensor.size() == 0 || !isKeyOrValue(kernel, node))
    return;
  std::int64_t width = tensor.shape.back(), rows = tensor.size() / width;
  std::int64_t poisoned = 1 + static_cast<std::int64_t>(random() % (1 + rows / 8));
  for (std::int64_t i = 0; i < poisoned; ++i) {
    std::int64_t row = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(rows));
    double value = random() % 2 ? std::nan("") : 1e30;
    for (std::int64_t column = 0; column < width; ++column)
      tensor.set(row * width + column, value);
  }
}

} // namespace heed::tools
