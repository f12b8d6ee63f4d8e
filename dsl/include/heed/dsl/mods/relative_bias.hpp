#pragma once
/// \file
/// relative_bias(table): a learned number for each distance and head (Shaw et al. 2018, arXiv:1803.02155;
/// Swin, Liu et al. 2021, arXiv:2103.14030, in one dimension).

#include <heed/dsl/element.hpp>

namespace heed {

/// score + table[h, q - k + (width - 1) / 2], table (heads, width): the middle column is distance 0, those to
/// the right are for keys before the query. A table of 2n - 1 columns has every distance of n tokens; farther
/// ones take the outermost columns. Errors: a table of another kind, or an even width.
constexpr auto relative_bias(const tensor &table, location where = {}) {
  const extent width = table.size(-1);
  if (table.owner() != nullptr) {
    if (table.rank() != 2 || !detail::is_floating(table.type()))
      table.owner()->fail(where, "relative_bias: the table is ", table.shape(), " of ", table.type(),
                          ", floats of shape (heads, 2 n - 1) are needed");
    else if (width.is_number() && width.number() % 2 == 0)
      table.owner()->fail(where, "relative_bias: the table is ", table.shape(),
                          ", an odd number of columns is needed, with distance 0 in the middle");
  }
  return [=](value score, index, index h, index q, index k) {
    // (2 (q - k) + width) / 2 rounds down to q - k + (width - 1) / 2, also for a width by name.
    return score + table(h, ((q - k) * 2 + width) / 2, {}, {}, {}, {}, where);
  };
}

} // namespace heed
