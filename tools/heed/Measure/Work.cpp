#include "Measure/Work.h"

#include "Arrays/HostTensor.h"
#include "Kernels/Scores.h"

namespace heed::tools {

using reference::Shape;
using reference::SymbolValues;
using spec::op;

namespace {

/// The part of (query, key) pairs that the product `index` has to compute: scores and weighted values of an
/// attention only need visible ones.
double visiblePart(const spec::graph &kernel, int index, const std::vector<ScoreChain> &chains,
                   const SymbolValues &values) {
  const spec::node &node = kernel.nodes[index];
  for (const ScoreChain &chain : chains) {
    bool scores = chain.matmul == index;
    bool weighted = node.kind == op::matmul && node.operands[0] == chain.softmax;
    if ((!scores && !weighted) || chain.masks.empty())
      continue;
    double pairs = static_cast<double>(
        reference::elementCount(*reference::shapeOf(kernel, kernel.nodes[chain.softmax], values)));
    std::optional<double> visible = visiblePairs(kernel, chain.masks, values);
    return visible && pairs > 0 ? *visible / pairs : 1;
  }
  return 1;
}

} // namespace

Work countWork(const spec::graph &kernel, const SymbolValues &values, bool throughMasks) {
  Work work;
  std::vector<ScoreChain> chains = throughMasks ? scoreChains(kernel) : std::vector<ScoreChain>{};
  auto bytesOf = [&](const spec::node &node) {
    return static_cast<double>(elementSize(node.type)) *
           reference::elementCount(*reference::shapeOf(kernel, node, values));
  };
  for (int i = 0; i < kernel.node_count; ++i) {
    const spec::node &node = kernel.nodes[i];
    double count = static_cast<double>(reference::elementCount(*reference::shapeOf(kernel, node, values)));
    work.elements += count;
    if (node.kind == op::input || node.kind == op::weight)
      work.bytes += bytesOf(node);
    if (node.kind != op::matmul && node.kind != op::linear)
      continue;
    Shape left = *reference::shapeOf(kernel, kernel.nodes[node.operands[0]], values);
    work.operations += 2 * count * left.back() * visiblePart(kernel, i, chains, values);
  }
  for (int i = 0; i < kernel.output_count; ++i)
    work.bytes += bytesOf(kernel.nodes[kernel.outputs[i].node]);
  return work;
}

} // namespace heed::tools
