#pragma once
/// \file
/// ONNX's RotaryEmbedding, opset 23, in heed's words:
/// https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html

#include <heed/dsl.hpp>

namespace onnx {

using namespace heed;

struct rotary_attributes {
  bool interleaved = false;     ///< pairs are neighbours instead of halves
  int rotary_embedding_dim = 0; ///< so many features of a head turn; 0: all
  int num_heads = 0;            ///< of an x with three axes
};

/// x (b, h, s, d), or (b, s, h · d). Without position_ids the caches are (b, s, dim / 2), with them (b, s)
/// name rows of caches (positions, dim / 2).
constexpr tensor rotary_embedding(const tensor &x, const tensor &cos_cache, const tensor &sin_cache,
                                  const tensor &position_ids, const rotary_attributes &how) {
  const rotary_options options{.interleaved = how.interleaved, .dim = how.rotary_embedding_dim};
  const tensor heads = x.rank() == 3 ? split_heads(x, how.num_heads) : x;
  const tensor y = position_ids.owner() == nullptr
                       ? rotary(heads, cos_cache, sin_cache, options)
                       : rotary(heads, cos_cache, sin_cache, position_ids, options);
  return x.rank() == 3 ? merge_heads(y) : y;
}

} // namespace onnx
