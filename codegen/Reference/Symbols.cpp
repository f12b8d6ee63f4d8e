#include "Reference/Symbols.h"

#include <map>

namespace heed::reference {

namespace {

/// numerator · Π symbol^power / denominator as two integers; nothing when a symbol other than `unknown` isn't
/// known.
struct Fraction {
  __int128 numerator, denominator;
};

std::optional<Fraction> fractionOf(const spec::extent &extent, const SymbolValues &values, int unknown = -1) {
  Fraction result{extent.numerator, extent.denominator};
  for (int i = 0; i < extent.factor_count; ++i) {
    const auto &factor = extent.factors[i];
    if (factor.symbol == unknown)
      continue;
    if (values[factor.symbol] < 0)
      return std::nullopt;
    for (int power = 0; power < std::abs(factor.power); ++power)
      (factor.power > 0 ? result.numerator : result.denominator) *= values[factor.symbol];
  }
  return result;
}

/// The one symbol of the extent that isn't known yet, if it occurs with power 1; else -1.
int soleUnknown(const spec::extent &extent, const SymbolValues &values) {
  int found = -1;
  for (int i = 0; i < extent.factor_count; ++i) {
    const auto &factor = extent.factors[i];
    if (values[factor.symbol] >= 0)
      continue;
    if (found >= 0 || factor.power != 1)
      return -1;
    found = factor.symbol;
  }
  return found;
}

/// Who gave a symbol its value, for messages: "q axis 2".
using Origins = std::map<int, std::string>;

std::string axisName(const spec::node &node, int axis) {
  return std::string(node.name) + " axis " + std::to_string(axis);
}

/// One pass over all axes; true when a symbol was learnt.
bool learn(const spec::graph &kernel, std::span<const Shape> shapes, SymbolValues &values, Origins &origins) {
  bool learnt = false;
  std::vector<int> arguments = argumentNodes(kernel);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const spec::node &node = kernel.nodes[arguments[i]];
    for (int axis = 0; axis < node.rank && axis < static_cast<int>(shapes[i].size()); ++axis) {
      const spec::extent &extent = kernel.extents[node.shape[axis]];
      int symbol = soleUnknown(extent, values);
      if (symbol < 0)
        continue;
      std::optional<Fraction> rest = fractionOf(extent, values, symbol);
      __int128 scaled = shapes[i][axis] * rest->denominator;
      if (rest->numerator == 0 || scaled % rest->numerator != 0)
        continue;
      values[symbol] = static_cast<std::int64_t>(scaled / rest->numerator);
      origins[symbol] = axisName(node, axis);
      learnt = true;
    }
  }
  return learnt;
}

/// " (queries = 5 from q axis 2)" for the symbols of an extent.
std::string originText(const spec::graph &kernel, const spec::extent &extent, const SymbolValues &values,
                       const Origins &origins) {
  std::string text;
  for (int i = 0; i < extent.factor_count; ++i) {
    int symbol = extent.factors[i].symbol;
    auto origin = origins.find(symbol);
    if (values[symbol] < 0 || origin == origins.end())
      continue;
    text += (text.empty() ? " (" : ", ") + std::string(kernel.symbols[symbol]) + " = " +
            std::to_string(values[symbol]) + " from " + origin->second;
  }
  return text.empty() ? text : text + ")";
}

} // namespace

bool isArgument(spec::op kind) {
  return kind == spec::op::input || kind == spec::op::weight || kind == spec::op::scalar ||
         kind == spec::op::state;
}

std::vector<int> argumentNodes(const spec::graph &kernel) {
  std::vector<int> result;
  for (int i = 0; i < kernel.node_count; ++i)
    if (isArgument(kernel.nodes[i].kind))
      result.push_back(i);
  return result;
}

std::string extentText(const spec::graph &kernel, int index) {
  const spec::extent &extent = kernel.extents[index];
  std::string above, below;
  for (int i = 0; i < extent.factor_count; ++i)
    for (int power = 0; power < std::abs(extent.factors[i].power); ++power) {
      std::string &side = extent.factors[i].power > 0 ? above : below;
      side += (side.empty() ? "" : "*") + std::string(kernel.symbols[extent.factors[i].symbol]);
    }
  if (extent.numerator != 1 || above.empty())
    above = std::to_string(extent.numerator) + (above.empty() ? "" : "*") + above;
  if (extent.denominator != 1)
    below = std::to_string(extent.denominator) + (below.empty() ? "" : "*") + below;
  return below.empty() ? above
                       : above + "/" + (below.find('*') == std::string::npos ? below : "(" + below + ")");
}

std::string shapeText(const spec::graph &kernel, const spec::node &node) {
  std::string text;
  for (int axis = 0; axis < node.rank; ++axis)
    text += (axis ? ", " : "") + extentText(kernel, node.shape[axis]);
  return "(" + text + ")";
}

std::string shapeText(const Shape &shape) {
  std::string text;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return "(" + text + ")";
}

std::optional<std::int64_t> extentValue(const spec::graph &kernel, int extent, const SymbolValues &values) {
  std::optional<Fraction> fraction = fractionOf(kernel.extents[extent], values);
  if (!fraction || fraction->denominator == 0 || fraction->numerator % fraction->denominator != 0)
    return std::nullopt;
  return static_cast<std::int64_t>(fraction->numerator / fraction->denominator);
}

std::optional<Shape> shapeOf(const spec::graph &kernel, const spec::node &node, const SymbolValues &values) {
  Shape shape;
  for (int axis = 0; axis < node.rank; ++axis) {
    std::optional<std::int64_t> value = extentValue(kernel, node.shape[axis], values);
    if (!value)
      return std::nullopt;
    shape.push_back(*value);
  }
  return shape;
}

void learnSymbols(const spec::graph &kernel, std::span<const Shape> shapes, SymbolValues &values) {
  Origins origins;
  while (learn(kernel, shapes, values, origins))
    ;
}

std::string bindSymbols(const spec::graph &kernel, std::span<const Shape> shapes, SymbolValues &values) {
  std::vector<int> arguments = argumentNodes(kernel);
  if (shapes.size() != arguments.size())
    return "arguments: " + std::to_string(shapes.size()) + " given, " + std::to_string(arguments.size()) +
           " needed\n";
  Origins origins;
  while (learn(kernel, shapes, values, origins))
    ;
  std::string errors;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const spec::node &node = kernel.nodes[arguments[i]];
    if (shapes[i].size() != node.rank) {
      errors += std::string(node.name) + ": has shape " + shapeText(shapes[i]) + ", needs " +
                shapeText(kernel, node) + "\n";
      continue;
    }
    for (int axis = 0; axis < node.rank; ++axis) {
      std::optional<std::int64_t> value = extentValue(kernel, node.shape[axis], values);
      if (value && *value == shapes[i][axis])
        continue;
      std::string needed = extentText(kernel, node.shape[axis]);
      if (value && std::to_string(*value) != needed)
        needed += " = " + std::to_string(*value);
      errors += axisName(node, axis) + ": has extent " + std::to_string(shapes[i][axis]) + ", needs " +
                needed + originText(kernel, kernel.extents[node.shape[axis]], values, origins) + "\n";
    }
  }
  if (!errors.empty())
    return errors;
  for (int symbol = 0; symbol < kernel.symbol_count; ++symbol)
    if (values[symbol] < 0)
      errors += std::string(kernel.symbols[symbol]) +
                ": no argument's shape determines it; give an input this extent\n";
  for (int i = 0; errors.empty() && i < kernel.extent_count; ++i)
    if (!extentValue(kernel, i, values))
      errors += extentText(kernel, i) + ": isn't a whole number" +
                originText(kernel, kernel.extents[i], values, origins) + "\n";
  return errors;
}

} // namespace heed::reference
