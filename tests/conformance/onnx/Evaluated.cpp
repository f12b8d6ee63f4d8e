#include "Evaluated.h"

#include "Case.h"
#include "Reference/Evaluate.h"

#include <catch2/catch.hpp>

extern "C" heed::spec::spec_kernels_function heed_spec_kernels;

namespace onnx {

namespace {

const heed::spec::graph *findGraph(const std::string &name) {
  for (const heed::spec::registration *entry = heed_spec_kernels(); entry; entry = entry->next)
    if (name == entry->kernel->name)
      return entry->kernel;
  return nullptr;
}

/// The evaluator's numbers are exact; an output holds them in its type.
double rounded(heed::spec::dtype type, double value) {
  heed::tools::HostTensor element = heed::tools::HostTensor::zeros(type, {1});
  element.set(0, value);
  return double(element.at(0));
}

} // namespace

void checkEvaluated(const std::string &name) {
  const heed::spec::graph *graph = findGraph(name);
  REQUIRE(graph);
  std::vector<heed::reference::Tensor> arguments;
  for (int node : heed::reference::argumentNodes(*graph))
    arguments.push_back(toReference(readArray(name, graph->nodes[node].name)));
  const heed::reference::Evaluation result = heed::reference::evaluate(*graph, arguments);
  REQUIRE(result.error == "");
  for (int i = 0; i < graph->output_count; ++i) {
    const heed::spec::dtype type = graph->nodes[graph->outputs[i].node].type;
    std::vector<double> values;
    for (const heed::reference::Number &number : result.outputs[i].elements)
      values.push_back(rounded(type, number.value));
    checkArray(name, graph->outputs[i].name, result.outputs[i].shape, values);
  }
}

} // namespace onnx
