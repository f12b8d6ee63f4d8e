#include "evaluate.hpp"

#include <cmath>
#include <limits>

using doubles = std::vector<double>;

// x (rows, in) · wᵀ + bias, w (out, in)
static doubles linear(const doubles &x, const array &w, const array &bias) {
  const std::size_t out = static_cast<std::size_t>(w.shape[0]), in = static_cast<std::size_t>(w.shape[1]);
  const std::size_t rows = x.size() / in;
  doubles y(rows * out);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t o = 0; o < out; ++o) {
      double sum = bias.values.empty() ? 0.0 : bias.values[o];
      for (std::size_t i = 0; i < in; ++i)
        sum += x[r * in + i] * w.values[o * in + i];
      y[r * out + o] = sum;
    }
  return y;
}

// Softmax over the visible scores, in place; a row without any is all zeros.
static void softmax(double *scores, std::size_t count) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    largest = std::fmax(largest, scores[i]);
  for (std::size_t i = 0; i < count; ++i)
    sum += scores[i] = std::isinf(largest) ? 0.0 : std::exp(scores[i] - largest);
  for (std::size_t i = 0; i < count; ++i)
    scores[i] = sum > 0 ? scores[i] / sum : 0.0;
}

static doubles widened(const array &a) { return doubles(a.values.begin(), a.values.end()); }

block_result evaluate(const block &b) {
  const doubles q = linear(widened(b.queries), b.w_query, b.b_query);
  const doubles k = linear(widened(b.keys), b.w_key, b.b_key);
  const doubles v = linear(widened(b.values), b.w_value, b.b_value);
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  const std::size_t batches = size(b.queries.shape[0]), heads = size(b.heads),
                    width = size(b.w_query.shape[0]);
  const std::size_t queries = size(b.queries.shape[1]), keys = size(b.keys.shape[1]), depth = width / heads;

  block_result result;
  result.weights.resize(batches * heads * queries * keys);
  result.attended.assign(batches * queries * width, 0.0);
  for (std::size_t row = 0; row < batches * heads * queries; ++row) {
    const std::size_t batch = row / (heads * queries), head = row / queries % heads, query = row % queries;
    double *weights = &result.weights[row * keys];
    for (std::size_t key = 0; key < keys; ++key) {
      double score = 0;
      for (std::size_t d = 0; d < depth; ++d)
        score += q[(batch * queries + query) * width + head * depth + d] *
                 k[(batch * keys + key) * width + head * depth + d];
      const bool visible = b.mask.values.empty() || b.mask.values[row * keys + key] != 0;
      weights[key] = visible ? score / std::sqrt(double(depth)) : -std::numeric_limits<double>::infinity();
    }
    softmax(weights, keys);
    for (std::size_t key = 0; key < keys; ++key)
      for (std::size_t d = 0; d < depth; ++d)
        result.attended[(batch * queries + query) * width + head * depth + d] +=
            weights[key] * v[(batch * keys + key) * width + head * depth + d];
  }
  result.y = linear(result.attended, b.w_out, b.b_out);
  return result;
}
