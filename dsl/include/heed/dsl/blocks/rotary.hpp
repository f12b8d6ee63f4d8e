#pragma once
/// \file
/// rotary(x, cos, sin): rotary position embedding (Su et al. 2021, arXiv:2104.09864), as ONNX's
/// RotaryEmbedding-23 defines it.

#include <heed/dsl/ops/tabulate.hpp>

namespace heed {

struct rotary_options {
  bool interleaved = false; ///< pairs are neighbours (2i, 2i + 1), else halves (i, i + dim / 2)
  extent dim = 0;           ///< features that turn, from the first; 0: all
};

namespace detail {

/// What both forms check; the rotated features, or 0 after a fault.
constexpr extent rotary_features(builder *owner, const tensor &x, const tensor &cosine, const tensor &sine,
                                 const rotary_options &options, location where) {
  if (x.rank() != 4)
    owner->fail(where, "rotary: x is ", x.shape(), ", four axes (batch, heads, tokens, depth) are needed");
  else if (!mixes(x.type(), cosine.type()) || !mixes(x.type(), sine.type()))
    owner->fail(where, "rotary: x is ", x.type(), ", cos is ", cosine.type(), ", sin is ", sine.type(),
                ", one floating type is needed");
  if (owner->failed())
    return 0;
  const bool all = options.dim.is_number() && options.dim.number() == 0;
  const extent depth = x.size(-1), dim = all ? depth : options.dim;
  if (dim.is_number() &&
      (dim.number() < 0 || dim.number() % 2 != 0 || (depth.is_number() && dim.number() > depth.number())))
    owner->fail(where, "rotary: ", dim, " features turn of x, which is ", x.shape(),
                ", an even number up to the depth is needed; give .dim");
  return owner->failed() ? extent(0) : dim;
}

/// Turns the pairs of features; `angle(table, b, s, pair)` reads the cosine or the sine.
template <class function>
constexpr tensor rotate(const tensor &x, const tensor &cosine, const tensor &sine, const extent &dim,
                        bool interleaved, const function &angle, location where) {
  const extent half = dim / 2;
  const bool all = dim == x.size(-1);
  return tabulate(
      x.owner(), x.type(), x.shape(),
      [&](index b, index h, index s, index d) -> scalar {
        const scalar pair = interleaved ? d / 2 : d % half;
        const scalar first_at = interleaved ? pair * 2 : pair;
        const scalar first = x(b, h, s, first_at),
                     second = x(b, h, s, interleaved ? pair * 2 + 1 : pair + half);
        const scalar c = angle(cosine, b, s, pair), t = angle(sine, b, s, pair);
        const scalar is_first = interleaved ? d % 2 == 0 : d < half;
        const scalar turned = select(is_first, first * c - second * t, first * t + second * c);
        return all ? turned : select(d < dim, turned, x(b, h, s, d));
      },
      where);
}

} // namespace detail

/// Feature pair i of token s turns by the angle whose cosine and sine stand at [b, s, i]:
/// (x₁, x₂) -> (x₁ cos - x₂ sin, x₁ sin + x₂ cos). Features from .dim on stay. x (b, h, s, d), cos and sin
/// (b, s, dim / 2) -> (b, h, s, d), in the type of x; f16, bf16 and f32 mix. x of (b, s, width) is
/// split_heads(x, heads) first. Errors: other shapes or types; a dim that is odd or exceeds the depth.
constexpr tensor rotary(const tensor &x, const tensor &cos, const tensor &sin,
                        const rotary_options &options = {}, location where = {}) {
  detail::builder *const owner = detail::begin("rotary", where, {x, cos, sin});
  if (owner == nullptr)
    return {};
  const extent dim = detail::rotary_features(owner, x, cos, sin, options, where);
  if (!owner->failed())
    for (const tensor &table : {cos, sin})
      if (table.rank() != 3 || !(table.size(0) == x.size(0)) || !(table.size(1) == x.size(2)) ||
          !(table.size(2) == dim / 2))
        owner->fail(where, "rotary: x is ", x.shape(), ", cos is ", cos.shape(), ", sin is ", sin.shape(),
                    ", tables of shape (batch, tokens, dim / 2) are needed; dim is ", dim);
  if (owner->failed())
    return {};
  auto angle = [](const tensor &table, index b, index s, const scalar &pair) { return table(b, s, pair); };
  return detail::rotate(x, cos, sin, dim, options.interleaved, angle, where);
}

/// The same with caches: the angle of token s is row position_ids[b, s] of cos and sin (positions, dim / 2).
/// Errors: as without; position_ids that are no integers (batch, tokens).
constexpr tensor rotary(const tensor &x, const tensor &cos, const tensor &sin, const tensor &position_ids,
                        const rotary_options &options = {}, location where = {}) {
  detail::builder *const owner = detail::begin("rotary", where, {x, cos, sin, position_ids});
  if (owner == nullptr)
    return {};
  const extent dim = detail::rotary_features(owner, x, cos, sin, options, where);
  if (!owner->failed() && (position_ids.rank() != 2 || !detail::is_integer(position_ids.type()) ||
                           !(position_ids.size(0) == x.size(0)) || !(position_ids.size(1) == x.size(2))))
    owner->fail(where, "rotary: x is ", x.shape(), ", position_ids are ", position_ids.shape(), " of ",
                position_ids.type(), ", integers of shape (batch, tokens) are needed");
  if (!owner->failed())
    for (const tensor &table : {cos, sin})
      if (table.rank() != 2 || !(table.size(1) == dim / 2))
        owner->fail(where, "rotary: x is ", x.shape(), ", cos is ", cos.shape(), ", sin is ", sin.shape(),
                    ", tables of shape (positions, dim / 2) are needed; dim is ", dim);
  if (owner->failed())
    return {};
  auto angle = [&](const tensor &table, index b, index s, const scalar &pair) {
    return table(position_ids(b, s), pair);
  };
  return detail::rotate(x, cos, sin, dim, options.interleaved, angle, where);
}

} // namespace heed
