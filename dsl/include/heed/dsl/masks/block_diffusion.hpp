#pragma once
/// \file
/// block_diffusion(tokens, block): training of block diffusion language models (BD3-LM, Arriola et al. 2025,
/// arXiv:2503.09573).

#include <heed/dsl/program.hpp>

#include <cstdint>

namespace heed {

/// Queries and keys are `tokens` noised tokens and then the same number of clean ones, in blocks of `block`.
/// Visible are three parts: noised keys of the same block, to noised queries; clean keys of earlier blocks,
/// to noised queries; clean keys of the same and earlier blocks, to clean queries.
constexpr auto block_diffusion(const extent &tokens, std::int64_t block) {
  return [=](index, index, index q, index k) {
    const scalar query_block = q % tokens / block, key_block = k % tokens / block;
    const scalar is_clean_query = q >= tokens, is_clean_key = k >= tokens;
    return (!is_clean_query && !is_clean_key && key_block == query_block) ||
           (!is_clean_query && is_clean_key && key_block < query_block) ||
           (is_clean_query && is_clean_key && key_block <= query_block);
  };
}

} // namespace heed
