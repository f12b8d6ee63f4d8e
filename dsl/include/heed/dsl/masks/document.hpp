#pragma once
/// \file
/// document(ids): several documents in one sequence, which do not see each other (Krell et al. 2021,
/// arXiv:2107.02027).

#include <heed/dsl/masks/captured.hpp>

namespace heed {

/// Visible where query_ids[q] = key_ids[k]; the ids are integers, (tokens) or (batch, tokens).
/// Errors: ids of another kind.
constexpr auto document(const tensor &query_ids, const tensor &key_ids, location where = {}) {
  const detail::token_numbers of_query(query_ids, "document: query ids", where);
  const detail::token_numbers of_key(key_ids, "document: key ids", where);
  return [=](index b, index, index q, index k) { return of_query.at(b, q) == of_key.at(b, k); };
}

/// Visible where ids[q] = ids[k]: queries and keys are the same tokens. With causal(), documents that are
/// packed into one sequence are independent.
constexpr auto document(const tensor &ids, location where = {}) { return document(ids, ids, where); }

} // namespace heed
