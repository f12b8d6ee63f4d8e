#include "Arrays/Arguments.h"

#include "Arrays/GuardedTensor.h"
#include "Support/ToolError.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace heed::tools {

namespace {

heed_view viewOf(HostTensor &tensor) {
  heed_view view = {};
  view.data = tensor.bytes.data();
  view.dtype = static_cast<std::int32_t>(tensor.type);
  view.rank = static_cast<std::int32_t>(tensor.shape.size());
  Shape strides = denseLayout(tensor.shape).strides;
  std::copy(tensor.shape.begin(), tensor.shape.end(), view.extents);
  std::copy(strides.begin(), strides.end(), view.strides);
  return view;
}

/// "x: f32 (batch, queries, 10)"
std::string needText(const spec::graph &kernel, const spec::node &node) {
  return fmt::format("{} {}", typeName(node.type), reference::shapeText(kernel, node));
}

} // namespace

std::vector<std::string> resultNames(const spec::graph &kernel) {
  std::vector<std::string> names;
  for (int i = 0; i < kernel.output_count; ++i)
    names.push_back(kernel.outputs[i].name);
  for (int index : reference::argumentNodes(kernel))
    if (kernel.nodes[index].kind == spec::op::state)
      names.push_back(kernel.nodes[index].name);
  return names;
}

const HostTensor &Arguments::result(const spec::graph &kernel, int number) const {
  if (number < kernel.output_count)
    return outputs[number];
  int states = number - kernel.output_count;
  std::size_t argument = 0;
  for (int index : reference::argumentNodes(kernel)) {
    if (kernel.nodes[index].kind == spec::op::state && states-- == 0)
      break;
    ++argument;
  }
  return inputs[argument];
}

std::vector<heed_view> Arguments::views() {
  std::vector<heed_view> result;
  for (HostTensor &tensor : inputs)
    result.push_back(viewOf(tensor));
  for (HostTensor &tensor : outputs)
    result.push_back(viewOf(tensor));
  return result;
}

Arguments readArguments(const spec::graph &kernel, const std::vector<std::string> &options,
                        const WeightFiles &weights) {
  Arguments arguments;
  InputErrors wrong;
  Inputs given = readInputs(kernel, {}, options, wrong);
  readWeights(kernel, weights, given, wrong);
  std::string errors = wrong.lines;
  std::vector<Shape> shapes;
  for (int index : reference::argumentNodes(kernel)) {
    const spec::node &node = kernel.nodes[index];
    auto found = given.find(index);
    if (found == given.end()) {
      if (!wrong.nodes.count(index))
        errors += fmt::format("{}: no {} given, {} is needed; add --in {}={}\n", node.name,
                              node.rank == 0 ? "number" : "file", needText(kernel, node), node.name,
                              node.rank == 0 ? "NUMBER" : "FILE.npy");
      continue;
    }
    arguments.inputs.push_back(std::move(found->second));
    shapes.push_back(arguments.inputs.back().shape);
  }
  reference::SymbolValues symbols(kernel.symbol_count, -1);
  if (arguments.inputs.size() == reference::argumentNodes(kernel).size())
    errors += reference::bindSymbols(kernel, shapes, symbols);
  if (!errors.empty())
    throw ToolError(
        fmt::format("kernel {} can't be called\n{}", kernel.name, errors.substr(0, errors.size() - 1)));
  arguments.outputs = makeOutputs(kernel, symbols);
  return arguments;
}

std::vector<HostTensor> makeOutputs(const spec::graph &kernel, const std::vector<std::int64_t> &symbols) {
  std::vector<HostTensor> outputs;
  for (int i = 0; i < kernel.output_count; ++i) {
    const spec::node &node = kernel.nodes[kernel.outputs[i].node];
    HostTensor tensor = HostTensor::zeros(node.type, *reference::shapeOf(kernel, node, symbols));
    for (std::int64_t j = 0; isFloat(node.type) && j < tensor.size(); ++j)
      tensor.set(j, std::nan(""));
    outputs.push_back(std::move(tensor));
  }
  return outputs;
}

} // namespace heed::tools
