#pragma once
/// \file
/// Graphs and faults as text, so that a test shows all of what it expects.

#include <heed/dsl.hpp>
#include <heed/dsl/operation_names.hpp>

#include <sstream>
#include <string>

namespace heed::testing {

inline std::string text_of(const spec::graph &g, const spec::extent &extent) {
  std::ostringstream text;
  text << extent.numerator;
  if (extent.denominator != 1)
    text << '/' << extent.denominator;
  for (int i = 0; i < extent.factor_count; ++i) {
    text << '*' << g.symbols[extent.factors[i].symbol];
    if (extent.factors[i].power != 1)
      text << '^' << extent.factors[i].power;
  }
  const std::string whole = text.str();
  const bool plain_symbols = whole.rfind("1*", 0) == 0;
  return plain_symbols ? whole.substr(2) : whole;
}

inline std::string operands_of(char mark, int count, const std::int16_t *operands) {
  std::ostringstream text;
  text << '(';
  for (int i = 0; i < count; ++i)
    text << (i ? ", " : "") << mark << operands[i];
  text << ')';
  return text.str();
}

/// `linear(%0, %1) f32 (batch,8)` and, for the others, what they hold beside operands.
inline std::string text_of(const spec::graph &g, const spec::node &node) {
  static const char *const types[] = {"b8", "i32", "i64", "f16", "bf16", "f32", "f64"};
  std::ostringstream text;
  text << spec::operation_names[static_cast<int>(node.kind)];
  if (node.name != nullptr)
    text << ' ' << node.name;
  if (node.kind == spec::op::constant)
    text << ' ' << node.value;
  if (node.kind == spec::op::permute)
    for (int i = 0; i < node.rank; ++i)
      text << (i ? "," : "{") << int{node.permutation[i]} << (i + 1 == node.rank ? "}" : "");
  if (node.program >= 0)
    text << " @" << node.program;
  if (node.nan_for_empty)
    text << " nan";
  if (node.kind == spec::op::dropout)
    text << " site " << node.site;
  if (node.kind == spec::op::drop_axis || node.kind == spec::op::slice || node.kind == spec::op::append)
    text << " axis " << int{node.axis};
  if (node.kind == spec::op::slice && node.start >= 0)
    text << " start " << text_of(g, g.extents[node.start]);
  if (node.kind == spec::op::layer_norm || node.kind == spec::op::rms_norm)
    text << " epsilon " << node.value;
  if (node.operand_count > 0)
    text << operands_of('%', node.operand_count, node.operands);
  text << ' ' << types[static_cast<int>(node.type)] << " (";
  for (int i = 0; i < node.rank; ++i)
    text << (i ? "," : "") << text_of(g, g.extents[node.shape[i]]);
  text << ')';
  return text.str();
}

inline std::string text_of(const spec::graph &g, const spec::instruction &instruction) {
  static const char *const words[] = {
      "position",      "score",     "number",    "extent",  "element",  "add",      "subtract",   "multiply",
      "divide",        "remainder", "minimum",   "maximum", "negate",   "absolute", "exp",        "log",
      "sin",           "cos",       "tanh",      "erf",     "logistic", "less",     "less_equal", "greater",
      "greater_equal", "equal",     "not_equal", "and",     "or",       "not",      "select"};
  static const char *const types[] = {"integer", "real", "truth"};
  std::ostringstream text;
  text << words[static_cast<int>(instruction.kind)];
  if (instruction.kind == spec::scalar_op::position)
    text << ' ' << instruction.reference;
  if (instruction.kind == spec::scalar_op::number)
    text << ' ' << instruction.number;
  if (instruction.kind == spec::scalar_op::extent)
    text << ' ' << text_of(g, g.extents[instruction.reference]);
  if (instruction.kind == spec::scalar_op::element)
    text << " #" << instruction.reference;
  if (instruction.operand_count > 0)
    text << operands_of('@', instruction.operand_count, instruction.operands);
  text << ' ' << types[static_cast<int>(instruction.type)];
  return text.str();
}

/// Every node, instruction and output on a line of its own.
inline std::string text_of(const spec::graph &g) {
  std::ostringstream text;
  for (int i = 0; i < g.node_count; ++i)
    text << '%' << i << " = " << text_of(g, g.nodes[i]) << '\n';
  for (int i = 0; i < g.instruction_count; ++i)
    text << '@' << i << " = " << text_of(g, g.instructions[i]) << '\n';
  for (int i = 0; i < g.output_count; ++i)
    text << g.outputs[i].name << " = %" << g.outputs[i].node << '\n';
  return text.str();
}

/// The last operation, which is what most tests are about.
inline std::string last_of(const spec::graph &g) { return text_of(g, g.nodes[g.node_count - 1]); }

/// The instructions of a program after the four indices, which always come first.
inline std::string program_of(const spec::graph &g) {
  std::ostringstream text;
  for (int i = 4; i < g.instruction_count; ++i)
    text << '@' << i << " = " << text_of(g, g.instructions[i]) << '\n';
  return text.str();
}

/// The fault of a block: `file:line: sentence`.
template <class block> std::string whole_fault(block) {
  constexpr detail::summary found = detail::measure<block>();
  return {found.fault.data(), found.fault.size()};
}

/// The sentence of a block's fault.
template <class block> std::string fault(block of) {
  const std::string whole = whole_fault(of);
  const std::size_t line_end = whole.find(": ");
  return line_end == std::string::npos ? whole : whole.substr(line_end + 2);
}

} // namespace heed::testing
