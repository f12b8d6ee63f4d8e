#include "Arrays/IntegerRanges.h"

#include <algorithm>
#include <set>

namespace heed::tools {

using spec::scalar_op;

namespace {

constexpr std::int64_t largestIdentifier = 2;

/// What one program does with the elements of one operand.
class Reader {
public:
  Reader(const spec::graph &kernel, const spec::node &user, int operand,
         const reference::SymbolValues &values)
      : kernel(kernel), user(user), operand(operand), values(values) {
    visit(user.program);
  }

  std::int64_t largest = 0; ///< 0: nothing tells
  bool isCompared = false;

private:
  void visit(int i) {
    if (!visited.insert(i).second)
      return;
    const spec::instruction &instruction = kernel.instructions[i];
    bool compares = instruction.kind >= scalar_op::less && instruction.kind <= scalar_op::not_equal;
    for (int j = 0; j < instruction.operand_count; ++j) {
      visit(instruction.operands[j]);
      if (!holdsOperand(instruction.operands[j]))
        continue;
      if (compares) {
        isCompared = true;
        largest = std::max({largest, reach(instruction.operands[0]), reach(instruction.operands[1])});
      }
      if (instruction.kind == scalar_op::element)
        largest = std::max(largest, extent(kernel.nodes[user.operands[instruction.reference]].shape[j]) - 1);
    }
  }

  bool holdsOperand(int i) const {
    const spec::instruction &instruction = kernel.instructions[i];
    if (instruction.kind == scalar_op::element)
      return instruction.reference == operand;
    for (int j = 0; j < instruction.operand_count; ++j)
      if (holdsOperand(instruction.operands[j]))
        return true;
    return false;
  }

  /// The largest extent of the axes whose positions a value is made of.
  std::int64_t reach(int i) const {
    const spec::instruction &instruction = kernel.instructions[i];
    if (instruction.kind == scalar_op::position)
      return extent(user.shape[instruction.reference]);
    if (instruction.kind == scalar_op::element)
      return 0;
    std::int64_t result = 0;
    for (int j = 0; j < instruction.operand_count; ++j)
      result = std::max(result, reach(instruction.operands[j]));
    return result;
  }

  std::int64_t extent(int index) const { return reference::extentValue(kernel, index, values).value_or(1); }

  const spec::graph &kernel;
  const spec::node &user;
  int operand;
  const reference::SymbolValues &values;
  std::set<int> visited;
};

/// What an append leaves of its state beside its rows.
std::int64_t room(const spec::graph &kernel, const spec::node &append,
                  const reference::SymbolValues &values) {
  auto extent = [&](const spec::node &node) {
    return reference::extentValue(kernel, node.shape[append.axis], values).value_or(0);
  };
  return extent(append) - extent(kernel.nodes[append.operands[1]]);
}

} // namespace

std::optional<std::int64_t> largestPosition(const spec::graph &kernel, int node,
                                            const reference::SymbolValues &values) {
  std::optional<std::int64_t> largest;
  for (int i = node + 1; i < kernel.node_count; ++i)
    if (const spec::node &append = kernel.nodes[i];
        append.kind == spec::op::append && append.operands[2] == node)
      largest = std::min(largest.value_or(room(kernel, append, values)), room(kernel, append, values));
  return largest;
}

bool rowsFit(const spec::graph &kernel, const reference::SymbolValues &values) {
  return std::all_of(kernel.nodes, kernel.nodes + kernel.node_count, [&](const spec::node &node) {
    return node.kind != spec::op::append || room(kernel, node, values) >= 0;
  });
}

std::int64_t largestInteger(const spec::graph &kernel, int node, const reference::SymbolValues &values) {
  std::int64_t largest = 0;
  bool isCompared = false;
  for (int i = node + 1; i < kernel.node_count; ++i)
    for (int j = 0; j < kernel.nodes[i].operand_count; ++j)
      if (kernel.nodes[i].operands[j] == node && kernel.nodes[i].program >= 0) {
        Reader reader(kernel, kernel.nodes[i], j, values);
        largest = std::max(largest, reader.largest);
        isCompared |= reader.isCompared;
      }
  if (largest == 0 && isCompared)
    return largestIdentifier;
  for (int axis = 0; largest == 0 && axis < kernel.nodes[node].rank; ++axis)
    largest =
        std::max(largest, reference::extentValue(kernel, kernel.nodes[node].shape[axis], values).value_or(1));
  return std::max<std::int64_t>(largest, 1);
}

} // namespace heed::tools
