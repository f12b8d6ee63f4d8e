#include "Arrays/GivenInputs.h"

#include "Arrays/Npy.h"
#include "Support/Names.h"
#include "Support/ToolError.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>

namespace heed::tools {

const char *const inputOptionHelp =
    "NAME=FILE.npy for an argument, or NAME=NUMBER for a scalar and NAME=NUMBER,NUMBER… "
    "along the last axis";

namespace {

/// "1,2.5,3"; nothing when the text is anything else.
std::optional<std::vector<double>> numbersIn(const std::string &text) {
  std::vector<double> numbers;
  const char *at = text.c_str();
  while (true) {
    char *end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    if (end == at || (*end != ',' && *end != '\0'))
      return std::nullopt;
    if (*end == '\0')
      return numbers;
    at = end + 1;
  }
}

/// Whole numbers beyond 2^53 keep all their digits.
std::optional<std::int64_t> integerIn(const std::string &text) {
  char *end = nullptr;
  errno = 0;
  std::int64_t value = std::strtoll(text.c_str(), &end, 10);
  return errno == 0 && end != text.c_str() && *end == '\0' ? std::optional(value) : std::nullopt;
}

HostTensor readValue(const spec::node &node, const std::string &text) {
  std::optional<std::vector<double>> numbers = numbersIn(text);
  if (!numbers)
    return converted(readNpy(text), node.type, text);
  Shape shape;
  if (node.rank > 0 || numbers->size() > 1)
    shape.push_back(static_cast<std::int64_t>(numbers->size()));
  if (node.rank > shape.size())
    shape.insert(shape.begin(), node.rank - shape.size(), 1);
  HostTensor tensor = HostTensor::zeros(isFloat(node.type) ? node.type : spec::dtype::f64, shape);
  for (std::size_t i = 0; i < numbers->size(); ++i)
    tensor.set(static_cast<std::int64_t>(i), (*numbers)[i]);
  if (std::optional<std::int64_t> integer = integerIn(text); integer && node.type == spec::dtype::i64) {
    tensor = HostTensor::zeros(node.type, shape);
    tensor.set(0, *integer);
  }
  return converted(tensor, node.type, text);
}

bool hasArgument(const spec::graph &kernel, const std::string &name) {
  for (int index : reference::argumentNodes(kernel))
    if (kernel.nodes[index].name == name)
      return true;
  return false;
}

} // namespace

Inputs readInputs(const spec::graph &kernel, const std::vector<const spec::graph *> &kernels,
                  const std::vector<std::string> &options, InputErrors &errors) {
  Inputs inputs;
  std::vector<std::string> names;
  std::vector<int> nodes = reference::argumentNodes(kernel);
  for (int index : nodes)
    names.push_back(kernel.nodes[index].name);
  for (const std::string &option : options) {
    auto [name, text] = splitAssignment("--in", option);
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      bool belongsToOther =
          std::any_of(kernels.begin(), kernels.end(),
                      [&, &name = name](const spec::graph *other) { return hasArgument(*other, name); });
      if (!belongsToOther)
        errors.lines += fmt::format("--in {}: {} has no input '{}', only {}{}\n", option, kernel.name, name,
                                    joined(names), suggestion(name, names));
      continue;
    }
    int node = nodes[found - names.begin()];
    try {
      if (!inputs.emplace(node, readValue(kernel.nodes[node], text)).second)
        errors.lines += fmt::format("--in {}: {} is given twice\n", option, name);
    } catch (const ToolError &error) {
      errors.lines += fmt::format("{}: {}\n", name, error.what());
      errors.nodes.insert(node);
    }
  }
  return inputs;
}

Inputs readInputs(const spec::graph &kernel, const std::vector<const spec::graph *> &kernels,
                  const std::vector<std::string> &options) {
  InputErrors errors;
  Inputs inputs = readInputs(kernel, kernels, options, errors);
  if (!errors.lines.empty())
    throw ToolError(errors.lines.substr(0, errors.lines.size() - 1));
  return inputs;
}

void bindInputs(const spec::graph &kernel, const Inputs &inputs, reference::SymbolValues &values) {
  std::vector<Shape> shapes;
  for (int index : reference::argumentNodes(kernel))
    shapes.push_back(inputs.count(index) ? inputs.at(index).shape : Shape{});
  reference::learnSymbols(kernel, shapes, values);
  std::string errors;
  for (const auto &[index, tensor] : inputs) {
    const spec::node &node = kernel.nodes[index];
    bool fits = tensor.shape.size() == node.rank;
    for (int axis = 0; axis < node.rank && fits; ++axis) {
      std::optional<std::int64_t> extent = reference::extentValue(kernel, node.shape[axis], values);
      fits = !extent || *extent == tensor.shape[axis];
    }
    if (!fits)
      errors += fmt::format("{}{}: has shape {}, needs {}", errors.empty() ? "" : "\n", node.name,
                            reference::shapeText(tensor.shape), reference::shapeText(kernel, node));
  }
  if (!errors.empty())
    throw ToolError(errors);
}

} // namespace heed::tools
