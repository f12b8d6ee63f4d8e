#pragma once
/// \file
/// shared_prefix(prefix, ids): continuations that share the tokens before them (the setting of Hydragen,
/// Juravsky et al. 2024, arXiv:2402.05099), packed into one sequence.

#include <heed/dsl/masks/captured.hpp>

namespace heed {

/// The keys are a prefix and then several continuations of it, one after the other; a token sees the prefix
/// and its own continuation up to itself. Visible where k <= q, and k < prefix or ids[q] = ids[k]. The prefix
/// is a number, an extent, a scalar argument or a tensor (batch); ids are integers, (tokens) or (batch,
/// tokens), whatever they are in the prefix. Errors: a prefix or ids of another kind.
constexpr auto shared_prefix(detail::batch_number prefix, const tensor &ids, location where = {}) {
  prefix = prefix.checked("shared_prefix: prefix");
  const detail::token_numbers of_token(ids, "shared_prefix: ids", where);
  return [=](index b, index, index q, index k) {
    return k <= q && (k < prefix.at(b) || of_token.at(b, q) == of_token.at(b, k));
  };
}

} // namespace heed
