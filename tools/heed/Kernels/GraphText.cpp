#include "Kernels/GraphText.h"

#include "Arrays/HostTensor.h"
#include "Kernels/SpecModule.h"
#include "heed/dsl/operation_names.hpp"

#include <fmt/format.h>

namespace heed::tools {

using spec::op;
using spec::scalar_op;

const char *operationName(op kind) { return spec::operation_names[static_cast<int>(kind)]; }

namespace {

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

const char *scalarName(scalar_op kind) {
  static constexpr const char *names[] = {"b",          "h",         "q",
                                          "k",          "score",     "number",
                                          "extent",     "element",   "add",
                                          "subtract",   "multiply",  "divide",
                                          "%",          "min",       "max",
                                          "-",          "abs",       "exp",
                                          "log",        "sin",       "cos",
                                          "tanh",       "logistic",  "less",
                                          "less_equal", "greater",   "greater_equal",
                                          "equal",      "not_equal", "and",
                                          "or",         "!",         "select"};
  return names[static_cast<int>(kind)];
}

std::string argumentsText(const spec::graph &kernel, const spec::instruction &instruction, int depth) {
  std::string text;
  for (int i = 0; i < instruction.operand_count; ++i)
    text += (i ? ", " : "") + expressionText(kernel, instruction.operands[i], depth);
  return text;
}

/// An operand in an infix expression.
std::string grouped(const spec::graph &kernel, int index, int depth) {
  std::string text = expressionText(kernel, index, depth);
  return infix(kernel.instructions[index].kind) ? "(" + text + ")" : text;
}

std::string valueText(const spec::graph &kernel, int index) {
  const spec::node &node = kernel.nodes[index];
  std::string text = operationName(node.kind);
  if (node.kind == op::constant)
    text += fmt::format(" {}", node.value);
  if (node.name)
    text += fmt::format(" \"{}\"", node.name);
  for (int i = 0; i < node.operand_count; ++i)
    text += fmt::format("{} %{}", i ? "," : "", node.operands[i]);
  if (node.kind == op::permute)
    for (int axis = 0; axis < node.rank; ++axis)
      text +=
          fmt::format("{}{}{}", axis ? ", " : " [", node.permutation[axis], axis + 1 < node.rank ? "" : "]");
  if (node.program >= 0)
    text += fmt::format(" {{ {} }}", expressionText(kernel, node.program));
  return text;
}

std::string typeText(const spec::graph &kernel, const spec::node &node) {
  return fmt::format("{} {}", typeName(node.type), reference::shapeText(kernel, node));
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

} // namespace

std::string expressionText(const spec::graph &kernel, int index, int depth) {
  if (depth == 0)
    return "…";
  const spec::instruction &instruction = kernel.instructions[index];
  switch (instruction.kind) {
  case scalar_op::number:
    return fmt::format("{}", instruction.number);
  case scalar_op::extent:
    return reference::extentText(kernel, instruction.reference);
  case scalar_op::element:
    return fmt::format("operand{}[{}]", instruction.reference, argumentsText(kernel, instruction, depth - 1));
  case scalar_op::negate:
  case scalar_op::logical_not:
    return scalarName(instruction.kind) + grouped(kernel, instruction.operands[0], depth - 1);
  default:
    break;
  }
  if (const char *symbol = infix(instruction.kind))
    return fmt::format("{} {} {}", grouped(kernel, instruction.operands[0], depth - 1), symbol,
                       grouped(kernel, instruction.operands[1], depth - 1));
  if (instruction.operand_count == 0)
    return scalarName(instruction.kind);
  return fmt::format("{}({})", scalarName(instruction.kind), argumentsText(kernel, instruction, depth - 1));
}

std::string graphText(const spec::graph &kernel) {
  std::string text = fmt::format("kernel {}   // {}\n", kernel.name, location(kernel, kernel.line));
  for (int i = 0; i < kernel.node_count; ++i)
    text +=
        fmt::format("  {:<66} // line {}\n",
                    fmt::format("%{} = {} : {}", i, valueText(kernel, i), typeText(kernel, kernel.nodes[i])),
                    kernel.nodes[i].line);
  for (int i = 0; i < kernel.output_count; ++i)
    text += fmt::format("  {:<66} // line {}\n",
                        fmt::format("output \"{}\" %{}", kernel.outputs[i].name, kernel.outputs[i].node),
                        kernel.outputs[i].line);
  return text;
}

std::string graphDot(const spec::graph &kernel) {
  std::string text = fmt::format("digraph \"{}\" {{\n  node [shape=box, fontname=\"sans\"];\n", kernel.name);
  for (int i = 0; i < kernel.node_count; ++i) {
    const spec::node &node = kernel.nodes[i];
    std::string label = operationName(node.kind);
    if (node.name)
      label += fmt::format(" {}", node.name);
    if (node.kind == op::constant)
      label += fmt::format(" {}", node.value);
    if (node.program >= 0)
      label += fmt::format("\n{}", expressionText(kernel, node.program));
    label += fmt::format("\n{}", typeText(kernel, node));
    std::string lines;
    for (char c : escaped(label))
      lines += c == '\n' ? std::string("\\n") : std::string(1, c);
    text += fmt::format("  n{} [label=\"{}\"{}];\n", i, lines,
                        node.name ? ", style=filled, fillcolor=\"#eeeeee\"" : "");
    for (int j = 0; j < node.operand_count; ++j)
      text += fmt::format("  n{} -> n{};\n", node.operands[j], i);
  }
  for (int i = 0; i < kernel.output_count; ++i)
    text += fmt::format("  o{} [label=\"output {}\", style=filled, fillcolor=\"#cccccc\"];\n  n{} -> o{};\n",
                        i, kernel.outputs[i].name, kernel.outputs[i].node, i);
  return text + "}\n";
}

} // namespace heed::tools
