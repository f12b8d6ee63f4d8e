#pragma once
/// \file
/// packed_sequences(offsets, tokens): sequences of different lengths one after the other in one buffer,
/// without padding (FlashAttention's variable lengths; Krell et al. 2021, arXiv:2107.02027).
///
/// Offsets are cumulative lengths: sequence i has the tokens offsets[i] <= t < offsets[i + 1], offsets[0] is
/// 0. A sequence may be empty. Tokens from the last offset on belong to none: they see nothing, and their
/// rows are zeros.

#include <heed/dsl/masks/combine.hpp>
#include <heed/dsl/ops/sum.hpp>
#include <heed/dsl/ops/tabulate.hpp>

#include <type_traits>

namespace heed {
namespace detail {

constexpr bool check_offsets(const char *word, const tensor &offsets, location where) {
  builder *const owner = begin(word, where, {offsets});
  if (owner != nullptr && (offsets.rank() != 1 || !is_integer(offsets.type())))
    owner->fail(where, word, ": offsets are a tensor ", offsets.shape(), " of ", offsets.type(),
                ", integers of shape (sequences + 1) are needed");
  return owner != nullptr && !owner->failed();
}

constexpr shape tokens_of(builder *owner, const extent &tokens, const char *word, location where) {
  shape result;
  result.push(owner->intern(tokens, word, where));
  return result;
}

/// The sequence of every token, (tokens) of i32: how many of the offsets but the first lie at or before it.
constexpr tensor sequence_of_tokens(const char *word, const tensor &offsets, const extent &tokens,
                                    location where) {
  builder *const owner = offsets.owner();
  shape pairs = tokens_of(owner, tokens, word, where);
  if (owner->failed())
    return {};
  pairs.push(offsets.data().shape[0]);
  return sum(tabulate(
                 owner, dtype::i32, pairs,
                 [&](index t, index i) { return select(i >= 1 && offsets[i] <= t, 1, 0); }, where),
             where);
}

/// A number for every token, made of its position and its sequence.
template <class function>
constexpr tensor per_token(const char *word, const tensor &sequences, const extent &tokens,
                           const function &make, location where) {
  builder *const owner = sequences.owner();
  if (owner == nullptr || owner->failed())
    return {};
  return tabulate(
      owner, dtype::i32, tokens_of(owner, tokens, word, where),
      [&](index t) { return make(t, sequences(t, {}, {}, {}, {}, {}, where)); }, where);
}

/// The tables of a packed mask, (queries) each: the keys of a query, and where it stands among them.
struct packed_tables {
  tensor first, end, position;
};

constexpr packed_tables make_packed_tables(const char *word, const tensor &query_offsets,
                                           const extent &queries, const tensor &key_offsets,
                                           bool bottom_right, location where) {
  if (!check_offsets(word, query_offsets, where) || !check_offsets(word, key_offsets, where))
    return {};
  const tensor sequences = sequence_of_tokens(word, query_offsets, queries, where);
  const auto table = [&](const auto &make) { return per_token(word, sequences, queries, make, where); };
  const auto first = [&](index, scalar i) { return key_offsets[i]; };
  const auto end = [&](index, scalar i) { return key_offsets[i + 1]; };
  const auto from_start = [&](index q, scalar i) { return q - query_offsets[i]; };
  const auto from_end = [&](index q, scalar i) {
    return q - query_offsets[i + 1] + key_offsets[i + 1] - key_offsets[i];
  };
  return {table(first), table(end), bottom_right ? table(from_end) : table(from_start)};
}

/// The keys of a query's own sequence that `inner` shows; `inner` counts both from the sequence's start.
template <class function> struct packed_mask {
  packed_tables tables;
  function inner;
  location where;

  constexpr scalar_operand operator()(index b, index h, index q, index k) const {
    if (tables.position.owner() == nullptr)
      return true;
    const auto at = [&](const tensor &table) { return table(q, {}, {}, {}, {}, {}, where); };
    const scalar first = at(tables.first), own = first <= k && k < at(tables.end);
    const scalar_operand shown = inner(b, h, index(at(tables.position)), index(k - first));
    return joined(own, shown, false);
  }
};

/// What may be meant as a mask beside the offsets.
template <class type>
concept inner_mask = !std::is_same_v<type, tensor>;

/// Shows everything.
struct unmasked {
  constexpr bool operator()(index, index, index, index) const { return true; }
};

} // namespace detail

/// A mask: queries see the keys of their own sequence, and of these what `inner` shows, where both are
/// counted from the start of the sequence: packed_sequences(offsets, tokens, causal()). Queries and keys are
/// the same tokens; `tokens` is their number, the extent of their axis. Scores (1, h, tokens, tokens).
/// Errors: offsets that are no integers (sequences + 1); an extent that is not valid.
template <detail::inner_mask function = detail::unmasked>
constexpr auto packed_sequences(const tensor &offsets, const extent &tokens, function inner = {},
                                location where = {}) {
  return detail::packed_mask<function>{
      detail::make_packed_tables("packed_sequences", offsets, tokens, offsets, false, where), inner, where};
}

/// The same with queries and keys of their own: sequence i of the queries sees sequence i of the keys,
/// counted from the starts of both. There are as many of each. Scores (1, h, queries, keys).
template <detail::inner_mask function = detail::unmasked>
constexpr auto packed_sequences(const tensor &query_offsets, const extent &queries, const tensor &key_offsets,
                                function inner = {}, location where = {}) {
  return detail::packed_mask<function>{
      detail::make_packed_tables("packed_sequences", query_offsets, queries, key_offsets, false, where),
      inner, where};
}

/// The same where the queries of a sequence are the last of its tokens, the bottom-right corner: with
/// causal(), new tokens after a cache. FlashAttention's causal variable lengths are this.
template <detail::inner_mask function = detail::unmasked>
constexpr auto packed_bottom_right(const tensor &query_offsets, const extent &queries,
                                   const tensor &key_offsets, function inner = {}, location where = {}) {
  return detail::packed_mask<function>{
      detail::make_packed_tables("packed_bottom_right", query_offsets, queries, key_offsets, true, where),
      inner, where};
}

/// The position of every token in its sequence, (1, tokens) of i32: what rotary takes as position_ids and
/// embedding as ids. Errors: as for packed_sequences.
constexpr tensor packed_positions(const tensor &offsets, const extent &tokens, location where = {}) {
  constexpr const char *word = "packed_positions";
  if (!detail::check_offsets(word, offsets, where))
    return {};
  detail::builder *const owner = offsets.owner();
  const tensor sequences = detail::sequence_of_tokens(word, offsets, tokens, where);
  detail::shape result;
  result.push(owner->intern(1, word, where));
  result.push(owner->intern(tokens, word, where));
  if (owner->failed())
    return {};
  return detail::tabulate(
      owner, dtype::i32, result,
      [&](index, index t) { return t - offsets[sequences(t, {}, {}, {}, {}, {}, where)]; }, where);
}

} // namespace heed
