#include "Verify/VerifyCase.h"

#include "Arrays/GuardedTensor.h"
#include "Arrays/RandomInputs.h"
#include "Reference/Evaluate.h"
#include "Support/ToolError.h"
#include "Verify/Comparison.h"
#include "Verify/KeptRows.h"
#include "Verify/Poison.h"

#include <algorithm>
#include <fmt/format.h>

namespace heed::tools {

namespace {

/// Buffers of one call: inputs and states, then outputs.
struct Buffers {
  std::vector<GuardedTensor> tensors;
  std::vector<std::string> names;
  std::vector<int> results;  ///< which result of the evaluator each has to hold afterwards; -1 for inputs
  std::size_t arguments = 0; ///< those without the outputs

  std::vector<heed_view> views() {
    std::vector<heed_view> result;
    for (GuardedTensor &tensor : tensors)
      result.push_back(tensor.view());
    return result;
  }
};

/// The evaluator's result for a state; -1 for any other argument.
int resultOf(const spec::graph &kernel, int argument) {
  std::vector<int> nodes = reference::resultNodes(kernel);
  for (int i = kernel.output_count; i < static_cast<int>(nodes.size()); ++i)
    if (kernel.nodes[nodes[i]].operands[0] == argument)
      return i;
  return -1;
}

Buffers makeBuffers(const spec::graph &kernel, const SymbolValues &values, const Inputs &given, bool poisoned,
                    std::mt19937_64 &random) {
  Buffers buffers;
  for (int index : reference::argumentNodes(kernel)) {
    const spec::node &node = kernel.nodes[index];
    Shape shape = *reference::shapeOf(kernel, node, values);
    auto found = given.find(index);
    bool drawn = found == given.end();
    HostTensor tensor = drawn ? drawForVerify(kernel, index, values, random) : found->second;
    if (drawn && poisoned)
      poison(kernel, index, tensor, random);
    // What is given or written must not be repeated along an axis.
    bool mayRepeat = drawn && node.kind != spec::op::state;
    buffers.tensors.emplace_back(node.type, shape, drawLayout(shape, mayRepeat, random));
    buffers.tensors.back().write(tensor);
    buffers.names.push_back(node.name);
    buffers.results.push_back(resultOf(kernel, index));
  }
  buffers.arguments = buffers.tensors.size();
  for (int i = 0; i < kernel.output_count; ++i) {
    const spec::node &node = kernel.nodes[kernel.outputs[i].node];
    Shape shape = *reference::shapeOf(kernel, node, values);
    buffers.tensors.emplace_back(node.type, shape, drawLayout(shape, false, random));
    buffers.names.push_back(kernel.outputs[i].name);
    buffers.results.push_back(i);
  }
  for (GuardedTensor &tensor : buffers.tensors)
    tensor.seal();
  return buffers;
}

/// The sentence for a fault, made before the call: a handler must not allocate.
struct FaultWords {
  const Buffers *buffers;
  std::vector<std::string> sentences;
  std::string elsewhere;

  FaultWords(const spec::graph &kernel, const SymbolValues &values, const Buffers &buffers)
      : buffers(&buffers) {
    std::string call = fmt::format("{} with {}", kernel.name, sizesText(kernel, values));
    for (std::size_t i = 0; i < buffers.tensors.size(); ++i)
      sentences.push_back(fmt::format("{}: memory beyond {} was accessed ({})", call, buffers.names[i],
                                      buffers.tensors[i].layoutText()));
    elsewhere = call + ": memory that isn't there was accessed, away from every argument";
  }

  static const char *explain(void *self, const void *address) {
    auto &words = *static_cast<FaultWords *>(self);
    for (std::size_t i = 0; i < words.sentences.size(); ++i)
      if (words.buffers->tensors[i].surrounds(address))
        return words.sentences[i].c_str();
    return words.elsewhere.c_str();
  }
};

/// What the states hold before the call; nothing for other arguments.
std::vector<std::optional<KeptRows>> keptRows(const spec::graph &kernel, const SymbolValues &values,
                                              const Buffers &buffers) {
  std::vector<int> nodes = reference::resultNodes(kernel), arguments = reference::argumentNodes(kernel);
  std::vector<std::optional<KeptRows>> kept(buffers.tensors.size());
  for (std::size_t i = 0; i < buffers.arguments; ++i) {
    if (buffers.results[i] < 0)
      continue;
    const spec::node &append = kernel.nodes[nodes[buffers.results[i]]];
    auto position = std::find(arguments.begin(), arguments.end(), append.operands[2]) - arguments.begin();
    Shape rows = *reference::shapeOf(kernel, kernel.nodes[append.operands[1]], values);
    kept[i].emplace(buffers.tensors[i].read(), append.axis,
                    static_cast<std::int64_t>(buffers.tensors[position].read().at(0)), rows[append.axis]);
  }
  return kept;
}

} // namespace

VerifyOutcome verifyCase(const spec::graph &kernel, const KernelCall &call, const SymbolValues &values,
                         std::mt19937_64 &random, const Inputs &given, bool poisoned) {
  VerifyOutcome outcome;
  Buffers buffers = makeBuffers(kernel, values, given, poisoned, random);
  std::vector<reference::Tensor> arguments;
  for (std::size_t i = 0; i < buffers.arguments; ++i)
    arguments.push_back(toReference(buffers.tensors[i].read()));
  reference::Evaluation expected = reference::evaluate(kernel, arguments);
  if (!expected.error.empty())
    throw ToolError(fmt::format("{} with {}: {}", kernel.name, sizesText(kernel, values), expected.error));
  std::vector<std::optional<KeptRows>> kept = keptRows(kernel, values, buffers);
  {
    FaultWords words(kernel, values, buffers);
    FaultReport report(FaultWords::explain, &words);
    call(buffers.views());
  }
  for (std::size_t i = 0; i < buffers.tensors.size(); ++i) {
    const GuardedTensor &tensor = buffers.tensors[i];
    bool input = buffers.results[i] < 0;
    auto object = [&](std::string mistake) {
      if (outcome.wrong.empty())
        outcome.wrong = fmt::format("{}{}", buffers.names[i], mistake);
    };
    if (tensor.damaged(input))
      object(input ? ": an input was written to"
                   : fmt::format(": memory outside of the {} was written to", kept[i] ? "state" : "output"));
    if (input)
      continue;
    HostTensor result = tensor.read();
    if (std::optional<std::int64_t> row = kept[i] ? kept[i]->changed(result) : std::nullopt)
      object(fmt::format(": row {} was changed, which is not appended", *row));
    Comparison comparison = compare(result, expected.outputs[buffers.results[i]]);
    outcome.difference = std::max(outcome.difference, comparison.largestDifference);
    outcome.share = std::max(outcome.share, comparison.largestShare);
    if (!comparison.firstWrong.empty())
      object(fmt::format("{} ({})", comparison.firstWrong, tensor.layoutText()));
  }
  return outcome;
}

} // namespace heed::tools
