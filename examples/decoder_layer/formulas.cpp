#include "formulas.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr std::size_t width = 512;
constexpr std::int64_t heads = 8;

struct layer_weights {
  random_call &call;
  std::string prefix;

  const array &operator()(const std::string &word) const { return call.weight(prefix + "_" + word); }
};

doubles multi_head(const layer_inputs &in, const doubles &queries, const doubles &context, std::int64_t keys,
                   const layer_weights &w, const std::string &part, const visible_keys &visible) {
  attention_form form{in.batch, heads, in.queries, keys, visible, -1e9};
  const doubles q = linear(queries, w(part + "_w_q"), w(part + "_b_q")),
                k = linear(context, w(part + "_w_k"), w(part + "_b_k")),
                v = linear(context, w(part + "_w_v"), w(part + "_b_v"));
  return linear(attention(form, q, k, v), w(part + "_w_o"), w(part + "_b_o"));
}

/// layer_norm(x + change)
doubles normalized_sum(const doubles &x, const doubles &change, const layer_weights &w,
                       const std::string &norm) {
  const array &gain = w(norm + "_weight"), &bias = w(norm + "_bias");
  doubles y(x.size());
  for (std::size_t row = 0; row < x.size(); row += width) {
    double mean = 0, variance = 0;
    for (std::size_t i = row; i < row + width; ++i)
      mean += (x[i] + change[i]) / width;
    for (std::size_t i = row; i < row + width; ++i)
      variance += std::pow(x[i] + change[i] - mean, 2) / width;
    for (std::size_t i = 0; i < width; ++i)
      y[row + i] = (x[row + i] + change[row + i] - mean) / std::sqrt(variance + 1e-5) * gain.values[i] +
                   bias.values[i];
  }
  return y;
}

} // namespace

doubles decoder_layer_formula(const layer_inputs &in, random_call &call, const std::string &prefix) {
  const layer_weights w{call, prefix};
  doubles x =
      normalized_sum(in.x, multi_head(in, in.x, in.x, in.queries, w, "self_attn", in.self), w, "norm1");
  x = normalized_sum(x, multi_head(in, x, in.memory, in.keys, w, "cross_attn", in.cross), w, "norm2");
  doubles inner = linear(x, w("linear1_weight"), w("linear1_bias"));
  for (double &element : inner)
    element = std::max(element, 0.0);
  return normalized_sum(x, linear(inner, w("linear2_weight"), w("linear2_bias")), w, "norm3");
}
