#include "Kernels/GraphText.h"

#include "Arrays/HostTensor.h"
#include "Kernels/ExpressionText.h"
#include "Kernels/SpecModule.h"
#include "heed/dsl/operation_names.hpp"

#include <fmt/format.h>

namespace heed::tools {

using spec::op;

namespace {

const char *operationName(op kind) { return spec::operation_names[static_cast<int>(kind)]; }

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
  if (node.kind == op::drop_axis || node.kind == op::slice || node.kind == op::append)
    text += fmt::format(" axis {}", node.axis);
  if (node.kind == op::slice && node.start >= 0)
    text += fmt::format(" start {}", reference::extentText(kernel, node.start));
  if (node.kind == op::layer_norm || node.kind == op::rms_norm)
    text += fmt::format(" epsilon {}", node.value);
  if (node.kind == op::dropout)
    text += fmt::format(" site {}", node.site);
  if (node.nan_for_empty)
    text += " nan_for_empty";
  if (node.program >= 0)
    text += fmt::format(" {{ {} }}", expressionText(kernel, node));
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
      label += fmt::format("\n{}", expressionText(kernel, node));
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
