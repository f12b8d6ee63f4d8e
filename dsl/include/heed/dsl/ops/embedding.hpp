#pragma once
/// \file
/// embedding(ids, table): a row of a table for every id.

#include <heed/dsl/ops/tabulate.hpp>

namespace heed {

/// y[…, d] = table[ids[…], d]. ids (…) of i32 or i64, table (rows, depth) -> (…, depth). An id outside of the
/// table is clamped, as indices of programs are: one below 0 takes row 0, one beyond the last row takes that.
/// Errors: ids of another type or of six axes; a table that has not two axes.
constexpr tensor embedding(const tensor &ids, const tensor &table, location where = {}) {
  detail::builder *const owner = detail::begin("embedding", where, {ids, table});
  if (owner == nullptr)
    return {};
  if (!detail::is_integer(ids.type()) || ids.rank() == spec::max_rank)
    owner->fail(where, "embedding: ids are a tensor ", ids.shape(), " of ", ids.type(), ", at most ",
                spec::max_rank - 1, " axes of i32 or i64 are needed");
  else if (table.rank() != 2)
    owner->fail(where, "embedding: the table is ", table.shape(), ", two axes (rows, depth) are needed");
  if (owner->failed())
    return {};
  detail::shape result = ids.shape();
  result.push(table.data().shape[1]);
  return detail::tabulate(
      owner, table.type(), result,
      [&](auto... positions) {
        scalar_operand at[spec::max_rank] = {{positions, where}...};
        const scalar_operand feature = at[ids.rank()];
        at[ids.rank()] = {};
        const scalar id = ids(at[0], at[1], at[2], at[3], at[4], at[5], where);
        return table({id, where}, feature, {}, {}, {}, {}, where);
      },
      where);
}

} // namespace heed
