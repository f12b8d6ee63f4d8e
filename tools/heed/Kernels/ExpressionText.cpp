#include "Kernels/ExpressionText.h"

#include "Reference/Symbols.h"

#include <fmt/format.h>

namespace heed::tools {

using spec::scalar_op;

namespace {

constexpr int deepest = 12;

const char *infix(scalar_op kind) {
  switch (kind) {
  case scalar_op::add:
    return "+";
  case scalar_op::subtract:
    return "-";
  case scalar_op::multiply:
    return "*";
  case scalar_op::divide:
    return "/";
  case scalar_op::remainder:
    return "%";
  case scalar_op::less:
    return "<";
  case scalar_op::less_equal:
    return "<=";
  case scalar_op::greater:
    return ">";
  case scalar_op::greater_equal:
    return ">=";
  case scalar_op::equal:
    return "==";
  case scalar_op::not_equal:
    return "!=";
  case scalar_op::logical_and:
    return "&&";
  case scalar_op::logical_or:
    return "||";
  default:
    return nullptr;
  }
}

const char *name(scalar_op kind) {
  switch (kind) {
  case scalar_op::minimum:
    return "min";
  case scalar_op::maximum:
    return "max";
  case scalar_op::negate:
    return "-";
  case scalar_op::absolute:
    return "abs";
  case scalar_op::exponential:
    return "exp";
  case scalar_op::logarithm:
    return "log";
  case scalar_op::sine:
    return "sin";
  case scalar_op::cosine:
    return "cos";
  case scalar_op::hyperbolic_tangent:
    return "tanh";
  case scalar_op::error_function:
    return "erf";
  case scalar_op::logistic:
    return "sigmoid";
  case scalar_op::logical_not:
    return "!";
  case scalar_op::select:
    return "select";
  default:
    return "?";
  }
}

class Printer {
public:
  Printer(const spec::graph &kernel, const spec::node &node) : kernel(kernel), node(node) {}

  std::string text(int index, int depth) const {
    if (depth == 0)
      return "…";
    const spec::instruction &instruction = kernel.instructions[index];
    switch (instruction.kind) {
    case scalar_op::position:
      return positionText(instruction.reference);
    case scalar_op::score:
      return "score";
    case scalar_op::number:
      return fmt::format("{}", instruction.number);
    case scalar_op::extent:
      return reference::extentText(kernel, instruction.reference);
    case scalar_op::element:
      return elementText(instruction, depth - 1);
    case scalar_op::negate:
    case scalar_op::logical_not:
      return name(instruction.kind) + grouped(instruction.operands[0], depth - 1);
    default:
      break;
    }
    if (const char *symbol = infix(instruction.kind))
      return fmt::format("{} {} {}", grouped(instruction.operands[0], depth - 1), symbol,
                         grouped(instruction.operands[1], depth - 1));
    return fmt::format("{}({})", name(instruction.kind), operandsText(instruction, depth - 1));
  }

private:
  std::string positionText(int axis) const {
    static constexpr const char *ofScores[] = {"b", "h", "q", "k"};
    return node.kind == spec::op::tabulate ? fmt::format("i{}", axis) : ofScores[axis];
  }

  std::string elementText(const spec::instruction &instruction, int depth) const {
    const spec::node &table = kernel.nodes[node.operands[instruction.reference]];
    std::string text = table.name ? table.name : fmt::format("%{}", node.operands[instruction.reference]);
    return instruction.operand_count ? fmt::format("{}[{}]", text, operandsText(instruction, depth)) : text;
  }

  std::string operandsText(const spec::instruction &instruction, int depth) const {
    std::string result;
    for (int i = 0; i < instruction.operand_count; ++i)
      result += (i ? ", " : "") + text(instruction.operands[i], depth);
    return result;
  }

  /// An operand of an infix expression.
  std::string grouped(int index, int depth) const {
    return infix(kernel.instructions[index].kind) ? "(" + text(index, depth) + ")" : text(index, depth);
  }

  const spec::graph &kernel;
  const spec::node &node;
};

} // namespace

std::string expressionText(const spec::graph &kernel, const spec::node &node) {
  return Printer(kernel, node).text(node.program, deepest);
}

} // namespace heed::tools
