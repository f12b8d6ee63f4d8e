#pragma once
/// \file
/// convert(x, type): the elements in another floating type.

#include <heed/dsl/tensor.hpp>

namespace heed {
namespace detail {

/// The tensor in a type to which its own can be converted.
constexpr tensor converted(const tensor &x, dtype type, location where) {
  return x.type() == type ? x : make(x.owner(), spec::op::convert, type, x.shape(), {x}, where);
}

} // namespace detail

/// y = x as elements of the type: to the nearest, ties to even; what is too large becomes infinity, NaN stays
/// NaN, true is 1. The shape stays. Nothing is stored for it: what computes x stores this type, rounded once,
/// and what reads y reads x where its type holds more. Errors: a type that is not floating.
constexpr tensor convert(const tensor &x, dtype type, location where = {}) {
  detail::builder *const owner = detail::begin("convert", where, {x});
  if (owner == nullptr)
    return {};
  if (!detail::is_floating(type))
    owner->fail(where, "convert: x is ", x.type(), ", the type is ", type, ", a floating type is needed");
  return owner->failed() ? tensor() : detail::converted(x, type, where);
}

} // namespace heed
