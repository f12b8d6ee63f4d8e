#include "naive.hpp"

#include <algorithm>
#include <cmath>

doubles widened(const array &a) { return doubles(a.values.begin(), a.values.end()); }

doubles linear(const doubles &x, const array &w, const array &bias) {
  const std::size_t out = static_cast<std::size_t>(w.shape[0]), in = static_cast<std::size_t>(w.shape[1]);
  doubles y(x.size() / in * out);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t row = i / out, column = i % out;
    y[i] = bias.values.empty() ? 0.0 : bias.values[column];
    for (std::size_t j = 0; j < in; ++j)
      y[i] += x[row * in + j] * w.values[column * in + j];
  }
  return y;
}

doubles attention(const attention_form &form, const doubles &q, const doubles &k, const doubles &v) {
  const std::int64_t depth = static_cast<std::int64_t>(q.size()) / (form.batch * form.queries * form.heads);
  const std::int64_t depth_v = static_cast<std::int64_t>(v.size()) / (form.batch * form.keys * form.heads);
  const auto at = [&](std::int64_t b, std::int64_t tokens, std::int64_t t, std::int64_t h,
                      std::int64_t size) {
    return static_cast<std::size_t>(((b * tokens + t) * form.heads + h) * size);
  };
  doubles y(static_cast<std::size_t>(form.batch * form.queries * form.heads * depth_v));
  doubles weights(static_cast<std::size_t>(form.keys));
  for (std::int64_t b = 0; b < form.batch; ++b)
    for (std::int64_t h = 0; h < form.heads; ++h)
      for (std::int64_t row = 0; row < form.queries; ++row) {
        for (std::int64_t key = 0; key < form.keys; ++key) {
          double score = 0;
          for (std::int64_t d = 0; d < depth; ++d)
            score += q[at(b, form.queries, row, h, depth) + d] * k[at(b, form.keys, key, h, depth) + d];
          const bool visible = !form.visible || form.visible(b, row, key);
          weights[static_cast<std::size_t>(key)] =
              visible ? score / std::sqrt(static_cast<double>(depth)) : form.fill;
        }
        const double largest = *std::max_element(weights.begin(), weights.end());
        double sum = 0;
        for (double &weight : weights)
          sum += weight = std::exp(weight - largest);
        for (std::int64_t key = 0; key < form.keys; ++key)
          for (std::int64_t e = 0; e < depth_v; ++e)
            y[at(b, form.queries, row, h, depth_v) + e] +=
                weights[static_cast<std::size_t>(key)] / sum * v[at(b, form.keys, key, h, depth_v) + e];
      }
  return y;
}
