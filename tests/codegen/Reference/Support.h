// Tensors by hand, for the tests of the evaluator.
#ifndef HEED_TESTS_REFERENCE_SUPPORT_H
#define HEED_TESTS_REFERENCE_SUPPORT_H

#include "Reference/Evaluate.h"

#include <cmath>
#include <limits>
#include <random>

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline const double nan_value = std::nan("");

inline heed::reference::Tensor tensorOf(heed::reference::Shape shape, std::vector<double> values) {
  heed::reference::Tensor result = heed::reference::zeros(shape);
  for (std::size_t i = 0; i < values.size(); ++i)
    result.elements.at(i).value = values[i];
  return result;
}

inline heed::reference::Tensor randomTensor(heed::reference::Shape shape, int seed) {
  heed::reference::Tensor result = heed::reference::zeros(shape);
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (auto &element : result.elements)
    element.value = static_cast<float>(normal(random));
  return result;
}

inline std::vector<double> valuesOf(const heed::reference::Tensor &tensor) {
  std::vector<double> values;
  for (const auto &element : tensor.elements)
    values.push_back(element.value);
  return values;
}

/// The first output; an error of the evaluation becomes an empty tensor.
inline heed::reference::Tensor firstOutput(const heed::spec::graph &kernel,
                                           std::vector<heed::reference::Tensor> arguments) {
  heed::reference::Evaluation result = heed::reference::evaluate(kernel, arguments);
  return result.outputs.empty() ? heed::reference::Tensor{} : result.outputs[0];
}

#endif // HEED_TESTS_REFERENCE_SUPPORT_H
