#include "Verify/VerifyCase.h"

#include "Arrays/GuardedTensor.h"
#include "Arrays/RandomInputs.h"
#include "Reference/Evaluate.h"
#include "Support/ToolError.h"
#include "Verify/Comparison.h"
#include "Verify/Poison.h"

#include <algorithm>
#include <fmt/format.h>

namespace heed::tools {

namespace {

/// Buffers of one call: inputs, then outputs.
struct Buffers {
  std::vector<GuardedTensor> tensors;
  std::vector<std::string> names;
  std::size_t inputs = 0;

  std::vector<heed_view> views() {
    std::vector<heed_view> result;
    for (GuardedTensor &tensor : tensors)
      result.push_back(tensor.view());
    return result;
  }
};

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
    // What is given must not be repeated along an axis.
    buffers.tensors.emplace_back(node.type, shape, drawLayout(shape, drawn, random));
    buffers.tensors.back().write(tensor);
    buffers.names.push_back(node.name);
  }
  buffers.inputs = buffers.tensors.size();
  for (int i = 0; i < kernel.output_count; ++i) {
    const spec::node &node = kernel.nodes[kernel.outputs[i].node];
    Shape shape = *reference::shapeOf(kernel, node, values);
    buffers.tensors.emplace_back(node.type, shape, drawLayout(shape, false, random));
    buffers.names.push_back(kernel.outputs[i].name);
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

} // namespace

VerifyOutcome verifyCase(const spec::graph &kernel, const KernelCall &call, const SymbolValues &values,
                         std::mt19937_64 &random, const Inputs &given, bool poisoned) {
  VerifyOutcome outcome;
  Buffers buffers = makeBuffers(kernel, values, given, poisoned, random);
  std::vector<reference::Tensor> arguments;
  for (std::size_t i = 0; i < buffers.inputs; ++i)
    arguments.push_back(toReference(buffers.tensors[i].read()));
  reference::Evaluation expected = reference::evaluate(kernel, arguments);
  if (!expected.error.empty())
    throw ToolError(fmt::format("{} with {}: {}", kernel.name, sizesText(kernel, values), expected.error));
  {
    FaultWords words(kernel, values, buffers);
    FaultReport report(FaultWords::explain, &words);
    call(buffers.views());
  }
  for (std::size_t i = 0; i < buffers.tensors.size(); ++i) {
    const GuardedTensor &tensor = buffers.tensors[i];
    bool input = i < buffers.inputs;
    if (tensor.damaged(input) && outcome.wrong.empty())
      outcome.wrong =
          fmt::format("{}: {}", buffers.names[i],
                      input ? "an input was written to" : "memory outside of the output was written to");
    if (input)
      continue;
    Comparison comparison = compare(tensor.read(), expected.outputs[i - buffers.inputs]);
    outcome.difference = std::max(outcome.difference, comparison.largestDifference);
    outcome.share = std::max(outcome.share, comparison.largestShare);
    if (!comparison.firstWrong.empty() && outcome.wrong.empty())
      outcome.wrong = fmt::format("{}{} ({})", buffers.names[i], comparison.firstWrong, tensor.layoutText());
  }
  return outcome;
}

} // namespace heed::tools
