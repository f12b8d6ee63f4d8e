/// What bench/gpu_check takes along to a machine without heed: calls with their expected results, and calls
/// to time with what they compute. Prints JSON; numbers lie in a file beside it.
#include "Arrays/GivenInputs.h"
#include "Arrays/RandomInputs.h"
#include "Kernels/Sizes.h"
#include "Kernels/SpecModule.h"
#include "Measure/Work.h"
#include "Reference/Evaluate.h"
#include "Support/ToolError.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace heed;
using namespace heed::tools;
using json = nlohmann::ordered_json;

namespace {

/// The file of numbers; entries say where theirs begin.
class Numbers {
public:
  explicit Numbers(const std::string &path) : file(path, std::ios::binary) {}

  uint64_t add(const void *data, size_t bytes) {
    const uint64_t start = at;
    file.write(static_cast<const char *>(data), std::streamsize(bytes));
    at += bytes;
    return start;
  }

private:
  std::ofstream file;
  uint64_t at = 0;
};

json entryOf(const char *name, spec::dtype type, const Shape &shape) {
  return {{"name", name}, {"type", typeName(type)}, {"shape", shape}};
}

/// The result of the evaluator that a state has to hold after the call; -1 for any other argument.
int resultOf(const spec::graph &kernel, int argument) {
  const std::vector<int> nodes = reference::resultNodes(kernel);
  for (int i = kernel.output_count; i < int(nodes.size()); ++i)
    if (kernel.nodes[nodes[i]].operands[0] == argument)
      return i;
  return -1;
}

/// Values in double precision, then how far off each may be.
json expectedOf(const char *name, spec::dtype type, const reference::Tensor &result, Numbers &numbers) {
  std::vector<double> values, bounds;
  for (const reference::Number &number : result.elements) {
    values.push_back(number.value);
    bounds.push_back(number.bound);
  }
  json entry = entryOf(name, type, result.shape);
  entry["values"] = numbers.add(values.data(), values.size() * sizeof(double));
  entry["bounds"] = numbers.add(bounds.data(), bounds.size() * sizeof(double));
  return entry;
}

/// A call with drawn arguments, and what has to come of it.
json caseOf(const spec::graph &kernel, double operations, uint64_t seed, Numbers &numbers) {
  std::mt19937_64 random(seed);
  const SymbolValues values = drawSizes(kernel, SymbolValues(kernel.symbol_count, -1), operations, random);
  json arguments = json::array(), results = json::array();
  std::vector<reference::Tensor> given;
  const std::vector<int> nodes = reference::argumentNodes(kernel);
  for (int index : nodes) {
    const HostTensor tensor = drawForVerify(kernel, index, values, random);
    given.push_back(toReference(tensor));
    json entry = entryOf(kernel.nodes[index].name, tensor.type, tensor.shape);
    entry["data"] = numbers.add(tensor.bytes.data(), tensor.bytes.size());
    arguments.push_back(entry);
  }
  const reference::Evaluation expected = reference::evaluate(kernel, given);
  if (!expected.error.empty())
    throw ToolError(fmt::format("{} with {}: {}", kernel.name, sizesText(kernel, values), expected.error));
  for (size_t i = 0; i < nodes.size(); ++i)
    if (const int result = resultOf(kernel, nodes[i]); result >= 0)
      results.push_back(expectedOf(kernel.nodes[nodes[i]].name, kernel.nodes[nodes[i]].type,
                                   expected.outputs[result], numbers));
  for (int i = 0; i < kernel.output_count; ++i)
    results.push_back(expectedOf(kernel.outputs[i].name, kernel.nodes[kernel.outputs[i].node].type,
                                 expected.outputs[i], numbers));
  return {{"kernel", kernel.name},
          {"sizes", sizesText(kernel, values)},
          {"seed", seed},
          {"arguments", arguments},
          {"results", results}};
}

struct Options {
  std::string spec, kernel, numbers;
  std::vector<std::string> sizes, inputs;
  int cases = 4;
  double operations = 4e6;
};

json suite(const Options &options) {
  const Specs specs({options.spec});
  Numbers numbers(options.numbers);
  json cases = json::array();
  for (const spec::graph *kernel : specs.select(options.kernel))
    for (int i = 0; i < options.cases; ++i)
      cases.push_back(caseOf(*kernel, options.operations, uint64_t(i) + 1, numbers));
  return cases;
}

/// A call to time: shapes and types of its arguments, the integers among them, and its arithmetic.
json timed(const Options &options) {
  const Specs specs({options.spec});
  const spec::graph &kernel = specs.kernel(options.kernel);
  SymbolValues values = parseSizes(kernel, options.sizes);
  Inputs inputs = readInputs(kernel, {&kernel}, options.inputs);
  bindInputs(kernel, inputs, values);
  requireComplete(kernel, values);
  inputs = completedForBench(kernel, values, std::move(inputs));
  const Work work = countWork(kernel, values, &inputs);
  json arguments = json::array();
  auto add = [&](const char *name, const spec::node &node, bool isOutput) {
    json entry = entryOf(name, node.type, *reference::shapeOf(kernel, node, values));
    entry["output"] = isOutput;
    arguments.push_back(entry);
  };
  for (int index : reference::argumentNodes(kernel)) {
    const spec::node &node = kernel.nodes[index];
    add(node.name, node, false);
    if (const HostTensor &tensor = inputs.at(index); !isFloat(node.type) || node.kind == spec::op::scalar)
      for (int64_t i = 0; i < tensor.size(); ++i)
        arguments.back()["integers"].push_back(double(tensor.at(i)));
  }
  for (int i = 0; i < kernel.output_count; ++i)
    add(kernel.outputs[i].name, kernel.nodes[kernel.outputs[i].node], true);
  return {{"kernel", kernel.name},         {"sizes", sizesText(kernel, values)},
          {"operations", work.operations}, {"bytes", work.bytes},
          {"visible", work.visible},       {"arguments", arguments}};
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App program{"What bench/gpu_check takes along"};
  program.require_subcommand(1);
  CLI::App *cases = program.add_subcommand("suite", "calls with expected results");
  cases->add_option("SPEC", options.spec)->required();
  cases->add_option("--kernel", options.kernel, "only this kernel");
  cases->add_option("--cases", options.cases, "calls of every kernel");
  cases->add_option("--operations", options.operations, "the most that the evaluator does for one");
  cases->add_option("--numbers", options.numbers, "the file that gets the numbers")->required();
  CLI::App *call = program.add_subcommand("timed", "one call to time");
  call->add_option("SPEC", options.spec)->required();
  call->add_option("--kernel", options.kernel)->required();
  call->add_option("--size", options.sizes)->take_all();
  call->add_option("--in", options.inputs)->take_all();
  CLI11_PARSE(program, argc, argv);
  try {
    std::cout << (cases->parsed() ? suite(options) : timed(options)) << "\n";
  } catch (const ToolError &error) {
    std::cerr << "heed_pack_cases: " << error.what() << "\n";
    return 1;
  }
}
