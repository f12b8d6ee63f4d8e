#pragma once
/// \file
/// A decoder layer in double precision, one formula after the other, without heed.

#include "naive.hpp"
#include "random_call.hpp"

using visible_keys = std::function<bool(std::int64_t b, std::int64_t q, std::int64_t k)>;

struct layer_inputs {
  doubles x, memory; ///< (batch, queries, width), (batch, keys, width)
  std::int64_t batch, queries, keys;
  visible_keys self, cross; ///< what is hidden has the score -1e9
};

/// The output (batch, queries, width) of the layer whose weights have this prefix in the call.
doubles decoder_layer_formula(const layer_inputs &inputs, random_call &call, const std::string &prefix);
