#include "Measure/Work.h"

#include "Arrays/HostTensor.h"
#include "Kernels/VisibleKeys.h"

#include <algorithm>

namespace heed::tools {

using reference::Shape;
using reference::SymbolValues;
using spec::op;

namespace {

/// An attention and the part of its (query, key) pairs that are visible.
struct VisiblePart {
  ScoreChain chain;
  double part = 1;
};

std::vector<VisiblePart> visibleParts(const spec::graph &kernel, const SymbolValues &values,
                                      const Inputs &inputs) {
  std::vector<VisiblePart> parts;
  for (const ScoreChain &chain : scoreChains(kernel)) {
    bool isMasked = chain.matmul >= 0 && !(chain.masks.empty() && chain.conditions.empty());
    std::optional<VisibleKeys> keys =
        isMasked ? VisibleKeys::of(kernel, chain, values, inputs) : std::nullopt;
    double pairs = keys ? static_cast<double>(reference::elementCount(keys->shape())) : 0;
    parts.push_back({chain, pairs > 0 ? keys->count() / pairs : 1});
  }
  return parts;
}

bool isWeighing(const spec::graph &kernel, const spec::node &node, const ScoreChain &chain) {
  return node.operands[0] == chain.weights || weightsBehind(kernel, node.operands[0]) == chain.weights;
}

/// The weights of an attention are rounded to the type of its values.
bool isDotOfBf16(const spec::graph &kernel, const spec::node &node) {
  const auto isBf16 = [&](int operand) {
    return kernel.nodes[node.operands[operand]].type == spec::dtype::bf16;
  };
  if (!isBf16(1))
    return false;
  const std::vector<ScoreChain> chains = scoreChains(kernel);
  return isBf16(0) || std::any_of(chains.begin(), chains.end(),
                                  [&](const ScoreChain &chain) { return isWeighing(kernel, node, chain); });
}

/// The part of pairs that the product `index` has to compute: scores and weighted values of an attention only
/// need visible ones.
double partOf(const spec::graph &kernel, int index, const std::vector<VisiblePart> &parts) {
  const spec::node &node = kernel.nodes[index];
  for (const VisiblePart &part : parts) {
    const ScoreChain &chain = part.chain;
    if (node.kind == op::matmul && (chain.matmul == index || isWeighing(kernel, node, chain)))
      return part.part;
  }
  return 1;
}

} // namespace

Work countWork(const spec::graph &kernel, const SymbolValues &values, const Inputs *inputs) {
  Work work;
  std::vector<VisiblePart> parts =
      inputs ? visibleParts(kernel, values, *inputs) : std::vector<VisiblePart>{};
  auto bytesOf = [&](const spec::node &node) {
    return static_cast<double>(elementSize(node.type)) *
           reference::elementCount(*reference::shapeOf(kernel, node, values));
  };
  for (int i = 0; i < kernel.node_count; ++i) {
    const spec::node &node = kernel.nodes[i];
    double count = static_cast<double>(reference::elementCount(*reference::shapeOf(kernel, node, values)));
    work.elements += count;
    if (reference::isArgument(node.kind))
      work.bytes += bytesOf(node);
    if (node.kind != op::matmul && node.kind != op::linear)
      continue;
    work.dotsBf16 |= isDotOfBf16(kernel, node);
    Shape left = *reference::shapeOf(kernel, kernel.nodes[node.operands[0]], values);
    work.operations += 2 * count * left.back() * partOf(kernel, i, parts);
  }
  for (const VisiblePart &part : parts)
    work.visible = std::min(work.visible, part.part);
  for (int i = 0; i < kernel.output_count; ++i)
    work.bytes += bytesOf(kernel.nodes[kernel.outputs[i].node]);
  return work;
}

} // namespace heed::tools
