#include "Check.h"

#include "Arrays/GuardedTensor.h"
#include "Reference/Evaluate.h"
#include "Verify/Comparison.h"

#include <cmath>
#include <limits>
#include <optional>

namespace heed::tests {

namespace {

using tools::GuardedTensor;
using tools::HostTensor;

std::vector<reference::Tensor> referenceOf(const std::vector<HostTensor> &tensors) {
  std::vector<reference::Tensor> result;
  for (const HostTensor &tensor : tensors)
    result.push_back(tools::toReference(tensor));
  return result;
}

/// The sentence for a fault, made before the call: a handler must not allocate.
struct FaultSentences {
  const std::vector<GuardedTensor> &buffers;
  std::vector<std::string> ofBuffer;
  std::string elsewhere;

  FaultSentences(const RandomKernel &made, const std::vector<GuardedTensor> &buffers) : buffers(buffers) {
    std::string call = "seed " + std::to_string(made.seed) + ": memory ";
    for (size_t i = 0; i < buffers.size(); ++i)
      ofBuffer.push_back(call + "beyond argument " + std::to_string(i) + " was accessed (" +
                         buffers[i].layoutText() + ")");
    elsewhere = call + "that isn't there was accessed, away from every argument";
  }

  static const char *explain(void *self, const void *address) {
    const auto &sentences = *static_cast<const FaultSentences *>(self);
    for (size_t i = 0; i < sentences.buffers.size(); ++i)
      if (sentences.buffers[i].surrounds(address))
        return sentences.ofBuffer[i].c_str();
    return sentences.elsewhere.c_str();
  }
};

class Call {
public:
  Call(const RandomKernel &made, const CompiledLibrary &library)
      : made(made), library(library), dice(made.seed ^ 0x5bd1e995), sizes(made.sizes) {}

  Outcome run() {
    for (const Argument &argument : made.arguments)
      inputs.push_back(draw(argument, dice));
    poison();
    reference::Evaluation expected = reference::evaluate(*made.kernel->data(), referenceOf(inputs));
    if (!expected.error.empty()) {
      outcome.wrong = "the evaluator refuses: " + expected.error;
      return outcome;
    }
    call(expected);
    return outcome;
  }

private:
  /// Keys first: a score program may look at what they make of a score, so those that do not stay hidden get
  /// their numbers back.
  void poison() {
    // The squares of a row that is normalized must be floats, since its scores may be an output.
    const double hugeKey = made.hasNormedKeys ? 1e15 : 1e30;
    std::vector<bool> hidden = hiddenKeys();
    const HostTensor before = inputs[1];
    for (size_t key = 0; key < hidden.size(); ++key)
      if (hidden[key])
        fill(1, int64_t(key), dice.pick({double(NAN), double(INFINITY), -double(INFINITY), hugeKey}));
    std::vector<bool> still = hiddenKeys();
    for (size_t key = 0; key < hidden.size(); ++key)
      if (hidden[key] && still[key]) {
        outcome.poisoned = true;
        fill(2, int64_t(key), dice.pick({double(NAN), double(INFINITY), -double(INFINITY), 1e30}));
      } else if (hidden[key]) {
        restore(before, int64_t(key));
      }
  }

  /// Whether all scores of a key are hidden by the spec's word, not by a number that happens to be -infinity.
  /// Keys are numbered as (batch, key head, key).
  std::vector<bool> hiddenKeys() {
    std::vector<bool> hidden(sizes.batch * sizes.keyHeads * sizes.keys, true);
    const int nodes[] = {made.scores};
    reference::Evaluation scores = reference::evaluate(*made.kernel->data(), referenceOf(inputs), nodes);
    if (!scores.error.empty())
      return {};
    const std::vector<reference::Number> &elements = scores.outputs[0].elements;
    for (int64_t row = 0; row < sizes.batch * sizes.heads * sizes.queries; ++row) {
      bool empty = true;
      int64_t head = row / sizes.queries / (sizes.heads / sizes.keyHeads);
      for (int64_t k = 0; k < sizes.keys; ++k)
        if (!elements[row * sizes.keys + k].absent)
          hidden[head * sizes.keys + k] = empty = false;
      outcome.emptyRow |= empty;
    }
    return hidden;
  }

  void eachElement(int operand, int64_t key, const std::function<void(int64_t)> &visit) {
    int64_t head = key / sizes.keys, depth = operand == 1 ? sizes.depth : sizes.valueDepth;
    for (int64_t d = 0; d < depth; ++d)
      visit(made.layouts[operand].offset(head / sizes.keyHeads, head % sizes.keyHeads, key % sizes.keys, d));
  }
  void fill(int operand, int64_t key, double value) {
    eachElement(operand, key, [&](int64_t at) { inputs[operand].set(at, value); });
  }
  void restore(const HostTensor &before, int64_t key) {
    eachElement(1, key, [&](int64_t at) { inputs[1].set(at, before.at(at)); });
  }

  void call(const reference::Evaluation &expected) {
    std::vector<GuardedTensor> buffers;
    buffers.reserve(inputs.size() + expected.outputs.size());
    for (const HostTensor &input : inputs) {
      buffers.emplace_back(input.type, input.shape, tools::drawLayout(input.shape, false, dice.engine));
      buffers.back().write(input);
    }
    const spec::graph &graph = *made.kernel->data();
    for (int i = 0; i < graph.output_count; ++i) {
      const tools::Shape &shape = expected.outputs[i].shape;
      buffers.emplace_back(graph.nodes[graph.outputs[i].node].type, shape,
                           tools::drawLayout(shape, false, dice.engine));
    }
    std::vector<heed_view> views;
    for (GuardedTensor &buffer : buffers) {
      buffer.seal();
      views.push_back(buffer.view());
    }
    heed_options options{dice.pick({1, 2, 3}), nullptr, nullptr, nullptr, 0};
    {
      FaultSentences sentences(made, buffers);
      tools::FaultReport report(FaultSentences::explain, &sentences);
      outcome.wrong = library.call(graph.name, views, &options);
    }
    for (size_t i = 0; i < buffers.size() && outcome.wrong.empty(); ++i)
      compare(buffers[i], i, expected);
  }

  /// The evaluator's result that a buffer holds afterwards. Those of the states follow the outputs.
  std::optional<size_t> resultOf(size_t i) const {
    if (i >= inputs.size())
      return i - inputs.size();
    if (!made.arguments[i].isState)
      return std::nullopt;
    size_t result = size_t(made.kernel->data()->output_count);
    for (size_t before = 0; before < i; ++before)
      result += made.arguments[before].isState;
    return result;
  }

  void compare(const GuardedTensor &buffer, size_t i, const reference::Evaluation &expected) {
    std::optional<size_t> result = resultOf(i);
    std::string name = i < inputs.size() ? "argument " + std::to_string(i)
                                         : made.kernel->data()->outputs[i - inputs.size()].name;
    if (buffer.damaged(/*elementsToo=*/!result))
      outcome.wrong = name + (result ? ": memory beside it was written to" : ": it was written to");
    if (!result || !outcome.wrong.empty())
      return;
    const reference::Tensor &want = expected.outputs[*result];
    outcome.elements += int64_t(want.elements.size());
    double useful = std::max(0.01, 16 * reference::unitRoundoff(buffer.read().type));
    for (const reference::Number &number : want.elements)
      outcome.compared += !(number.bound > useful * (1 + std::fabs(number.value)));
    tools::Comparison comparison = tools::compare(buffer.read(), want);
    if (!comparison.firstWrong.empty())
      outcome.wrong = name + comparison.firstWrong;
  }

  const RandomKernel &made;
  const CompiledLibrary &library;
  Dice dice;
  const Sizes &sizes;
  std::vector<HostTensor> inputs;
  Outcome outcome;
};

} // namespace

Outcome checkKernel(const RandomKernel &made, const CompiledLibrary &library) {
  return Call(made, library).run();
}

} // namespace heed::tests
