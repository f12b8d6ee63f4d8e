#pragma once
/// \file
/// tree(ancestors, context): many drafts of the next tokens at once, for speculative decoding (SpecInfer,
/// Miao et al. 2023, arXiv:2305.09781; Medusa, Cai et al. 2024, arXiv:2401.10774).

#include <heed/dsl/masks/captured.hpp>

namespace heed {

/// Queries are the drafts, keys the context and then the drafts. Visible where k < context, or where
/// ancestors[q, k - context] is nonzero: a draft sees the context, itself and the drafts that it continues.
/// `ancestors` is (drafts, drafts) or (batch, drafts, drafts), of any type; keys after the drafts are hidden.
/// The context is a number, an extent, a scalar argument or a tensor (batch). Errors: ancestors or a context
/// of another kind.
constexpr auto tree(const tensor &ancestors, detail::batch_number context, location where = {}) {
  const int rank = ancestors.rank();
  if (ancestors.owner() != nullptr && rank != 2 && rank != 3)
    ancestors.owner()->fail(where, "tree: ancestors are ", ancestors.shape(),
                            ", (drafts, drafts) or (batch, drafts, drafts) are needed");
  context = context.checked("tree: context");
  const extent drafts = rank == 0 ? extent(1) : ancestors.size(-1);
  const bool is_truth = ancestors.type() == dtype::b8;
  return [=](index b, index, index q, index k) {
    const scalar draft = k - context.at(b);
    const scalar given =
        rank == 2 ? ancestors(q, draft, {}, {}, {}, {}, where) : ancestors(b, q, draft, {}, {}, {}, where);
    const scalar seen = is_truth ? given : given != 0;
    return draft < 0 || (draft < drafts && seen);
  };
}

} // namespace heed
