//===- Naive.h - Formulas in double precision -------------------*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_EMIT_NAIVE_H
#define HEED_TESTS_CODEGEN_EMIT_NAIVE_H

#include "Tensor.h"

#include <functional>

namespace heed {

using Element = std::function<double(const Index &)>;

/// One attention: elements at (b, h, row, column), sizes, and what happens to a score.
struct AttentionFormula {
  int64_t keys, depth;
  double scale;
  Element query, key, value;
  /// New score at (b, h, q, k); -infinity hides the key.
  std::function<double(double score, const Index &position)> program = [](double score, const Index &) {
    return score;
  };

  /// The output at (b, h, q, e).
  double operator()(const Index &at) const {
    std::vector<double> scores(keys);
    double largest = -std::numeric_limits<double>::infinity();
    for (int64_t k = 0; k < keys; ++k) {
      for (int64_t d = 0; d < depth; ++d)
        scores[k] += query({at[0], at[1], at[2], d}) * key({at[0], at[1], k, d});
      scores[k] = program(scale * scores[k], {at[0], at[1], at[2], k});
      largest = std::max(largest, scores[k]);
    }
    double sum = 0, result = 0;
    for (int64_t k = 0; k < keys; ++k) {
      if (std::isinf(scores[k]))
        continue;
      double weight = std::exp(scores[k] - largest);
      sum += weight;
      result += weight * value({at[0], at[1], k, at[3]});
    }
    return sum > 0 ? result / sum : 0;
  }
};

/// Σ_i x[…, i] · w[o, i] + b[o] at (…, o).
inline double linearAt(const Element &x, const Tensor<float> &w, const Tensor<float> *bias, const Index &at) {
  double sum = bias ? bias->at({at.back()}) : 0;
  Index from = at;
  for (int64_t i = 0; i < w.shape[1]; ++i) {
    from.back() = i;
    sum += x(from) * w.at({at.back(), i});
  }
  return sum;
}

} // namespace heed

#endif // HEED_TESTS_CODEGEN_EMIT_NAIVE_H
