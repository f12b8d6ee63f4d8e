#pragma once
/// \file
/// flamingo(media, latents): text that sees its last image (Flamingo, Alayrac et al. 2022, arXiv:2204.14198,
/// section 2.3).

#include <heed/dsl/masks/captured.hpp>

#include <cstdint>

namespace heed {

/// Queries are text tokens, keys the `latents` tokens of each image or video, one after the other. media[q]
/// counts the media that stand before token q in the text, (tokens) or (batch, tokens). Visible where
/// k / latents + 1 = media[q]: a token sees the last of them, and nothing where there is none.
/// Errors: media of another kind.
constexpr auto flamingo(const tensor &media, std::int64_t latents, location where = {}) {
  const detail::token_numbers count(media, "flamingo: media", where);
  return [=](index b, index, index q, index k) { return k / latents + 1 == count.at(b, q); };
}

} // namespace heed
