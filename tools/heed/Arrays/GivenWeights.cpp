#include "Arrays/GivenWeights.h"

#include "Arrays/HostTensor.h"
#include "Support/ToolError.h"
#include "heed/weights/bind.hpp"

#include <algorithm>

namespace heed::tools {

namespace {

/// The arguments of a kernel as a program has them, before it is compiled.
class Signature {
public:
  explicit Signature(const spec::graph &kernel, const Inputs &given)
      : nodes(reference::argumentNodes(kernel)) {
    for (int i = 0; i < kernel.extent_count; ++i)
      extents.push_back(extentOf(kernel.extents[i]));
    for (int index : nodes) {
      const spec::node &node = kernel.nodes[index];
      bool wanted = node.kind == spec::op::weight && !given.count(index);
      heed_argument argument = {node.name,
                                static_cast<std::uint8_t>(wanted ? HEED_WEIGHT : HEED_INPUT),
                                static_cast<std::uint8_t>(node.type),
                                node.rank,
                                {}};
      std::copy_n(node.shape, node.rank, argument.extents);
      arguments.push_back(argument);
    }
    table.version = HEED_ABI_VERSION;
    table.name = kernel.name;
    table.symbol_count = kernel.symbol_count;
    table.symbols = kernel.symbols;
    table.extent_count = kernel.extent_count;
    table.extents = extents.data();
    table.argument_count = static_cast<std::int32_t>(arguments.size());
    table.arguments = arguments.data();
  }

  const heed_program &program() const { return table; }
  int node(std::int32_t argument) const { return nodes[argument]; }

  /// Nodes of the weights that are to be found.
  std::vector<int> wanted() const {
    std::vector<int> result;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (arguments[i].role == HEED_WEIGHT)
        result.push_back(nodes[i]);
    return result;
  }

private:
  static heed_extent extentOf(const spec::extent &extent) {
    heed_extent result = {
        extent.numerator, extent.denominator, 0, static_cast<std::int8_t>(extent.factor_count), {}};
    for (int i = 0; i < extent.factor_count; ++i)
      result.factors[i] = {static_cast<std::int8_t>(extent.factors[i].symbol),
                           static_cast<std::int8_t>(extent.factors[i].power)};
    return result;
  }

  std::vector<int> nodes;
  std::vector<heed_extent> extents;
  std::vector<heed_argument> arguments;
  heed_program table = {};
};

HostTensor hostTensor(const heed_view &view) {
  HostTensor tensor =
      HostTensor::zeros(static_cast<spec::dtype>(view.dtype), Shape(view.extents, view.extents + view.rank));
  std::copy_n(static_cast<const std::byte *>(view.data), tensor.bytes.size(), tensor.bytes.begin());
  return tensor;
}

/// All that is wrong with the files themselves.
std::string load(const WeightFiles &given, weights_store &store, bind_options &options) {
  std::string errors;
  if (auto loaded = load_weights(given.files))
    store = *std::move(loaded);
  else
    errors = std::string(loaded.message()) + "\n";
  options.prefix = given.prefix;
  if (given.map.empty())
    return errors;
  if (auto names = read_name_map(given.map))
    options.names = *std::move(names);
  else
    errors += std::string(names.message()) + "\n";
  return errors;
}

} // namespace

void readWeights(const spec::graph &kernel, const WeightFiles &given, Inputs &inputs, InputErrors &errors) {
  if (given.files.empty())
    return;
  Signature signature(kernel, inputs);
  weights_store store;
  bind_options options;
  std::string wrong = load(given, store, options);
  if (wrong.empty()) {
    auto bound = bind_weights(signature.program(), store, options);
    if (bound) {
      for (const auto &[argument, view] : bound->items())
        inputs.emplace(signature.node(argument), hostTensor(view));
      return;
    }
    // The first line names the kernel, which the caller does.
    wrong = bound.message();
    wrong.erase(0, wrong.find('\n') + 1);
    wrong += '\n';
  }
  errors.lines += wrong;
  for (int node : signature.wanted())
    errors.nodes.insert(node);
}

Inputs readInputs(const spec::graph &kernel, const std::vector<const spec::graph *> &kernels,
                  const std::vector<std::string> &options, const WeightFiles &weights) {
  InputErrors errors;
  Inputs inputs = readInputs(kernel, kernels, options, errors);
  readWeights(kernel, weights, inputs, errors);
  if (!errors.lines.empty())
    throw ToolError(errors.lines.substr(0, errors.lines.size() - 1));
  return inputs;
}

} // namespace heed::tools
