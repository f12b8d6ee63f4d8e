#include "Kernels/Scores.h"

#include <algorithm>
#include <limits>
#include <set>

namespace heed::tools {

using spec::op;

namespace {

using reference::isArgument;

bool isElementwise(op kind) { return kind >= op::add && kind <= op::where; }

bool isMinusInfinity(const spec::node &node) {
  return node.kind == op::constant && node.value == -std::numeric_limits<double>::infinity();
}

/// Follows the operands that carry scores. An operand of full rank that isn't an argument may hold them.
void follow(const spec::graph &kernel, int index, ScoreChain &chain) {
  const spec::node &node = kernel.nodes[index];
  if (node.kind == op::matmul) {
    chain.matmul = index;
    return;
  }
  if (node.kind == op::mask)
    chain.masks.push_back(index);
  if (node.kind == op::mask || node.kind == op::score_mod || node.kind == op::dropout)
    return follow(kernel, node.operands[0], chain);
  if (!isElementwise(node.kind))
    return;
  if (node.kind == op::where && isMinusInfinity(kernel.nodes[node.operands[2]]))
    chain.conditions.push_back({node.operands[0], true});
  if (node.kind == op::where && isMinusInfinity(kernel.nodes[node.operands[1]]))
    chain.conditions.push_back({node.operands[0], false});
  for (int i = node.kind == op::where; i < node.operand_count && chain.matmul < 0; ++i) {
    int operand = node.operands[i];
    if (!isArgument(kernel.nodes[operand].kind))
      follow(kernel, operand, chain);
    else if (node.kind == op::add)
      chain.biases.push_back(operand);
  }
  if (node.kind == op::add && isArgument(kernel.nodes[node.operands[1]].kind))
    chain.biases.push_back(node.operands[1]);
}

/// Whether the element that `reference` loads is used as a truth in a scalar program.
bool conditionInProgram(const spec::graph &kernel, int element) {
  using spec::scalar_op;
  if (kernel.instructions[element].type == spec::scalar_type::truth)
    return true;
  for (int i = element + 1; i < kernel.instruction_count; ++i) {
    const spec::instruction &user = kernel.instructions[i];
    bool logical = user.kind >= scalar_op::logical_and && user.kind <= scalar_op::logical_not;
    for (int j = 0; j < user.operand_count; ++j)
      if (user.operands[j] == element && (logical || (user.kind == scalar_op::select && j == 0)))
        return true;
  }
  return false;
}

/// The instructions that a program's result needs.
std::vector<bool> neededBy(const spec::graph &kernel, int result) {
  std::vector<bool> needed(kernel.instruction_count, false);
  needed[result] = true;
  for (int i = result; i >= 0; --i)
    for (int j = 0; needed[i] && j < kernel.instructions[i].operand_count; ++j)
      needed[kernel.instructions[i].operands[j]] = true;
  return needed;
}

bool usesAsCondition(const spec::graph &kernel, const spec::node &user, int operand) {
  if (user.kind == op::where)
    return operand == 0;
  if (user.kind == op::logical_and || user.kind == op::logical_or || user.kind == op::logical_not)
    return true;
  if (user.program < 0)
    return false;
  std::vector<bool> needed = neededBy(kernel, user.program);
  for (int i = 0; i < kernel.instruction_count; ++i)
    if (needed[i] && kernel.instructions[i].kind == spec::scalar_op::element &&
        kernel.instructions[i].reference == operand && conditionInProgram(kernel, i))
      return true;
  return false;
}

} // namespace

std::vector<ScoreChain> scoreChains(const spec::graph &kernel) {
  std::vector<ScoreChain> chains;
  std::set<int> scores; // whose chain is there
  auto addChain = [&](int weights, int start) {
    ScoreChain chain;
    chain.weights = weights;
    follow(kernel, start, chain);
    bool isAttention =
        weights != start || (chain.matmul >= 0 && !(chain.masks.empty() && chain.conditions.empty()));
    if (isAttention && scores.insert(start).second)
      chains.push_back(chain);
  };
  for (op kind : {op::softmax, op::log_sum_exp, op::matmul})
    for (int i = 0; i < kernel.node_count; ++i) {
      const spec::node &node = kernel.nodes[i];
      if (node.kind != kind)
        continue;
      bool isWeighted = kind == op::matmul;
      if (!isWeighted || kernel.nodes[weightsBehind(kernel, node.operands[0])].kind != op::softmax)
        addChain(isWeighted ? node.operands[0] : i, node.operands[0]);
    }
  std::sort(chains.begin(), chains.end(),
            [](const ScoreChain &a, const ScoreChain &b) { return a.weights < b.weights; });
  return chains;
}

int weightsBehind(const spec::graph &kernel, int node) {
  while (kernel.nodes[node].kind == op::dropout || kernel.nodes[node].kind == op::score_mod)
    node = kernel.nodes[node].operands[0];
  return node;
}

bool isCondition(const spec::graph &kernel, int node) {
  if (kernel.nodes[node].type == spec::dtype::b8)
    return true;
  for (int i = node + 1; i < kernel.node_count; ++i)
    for (int j = 0; j < kernel.nodes[i].operand_count; ++j)
      if (kernel.nodes[i].operands[j] == node && usesAsCondition(kernel, kernel.nodes[i], j))
        return true;
  return false;
}

} // namespace heed::tools
