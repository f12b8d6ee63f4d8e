#pragma once
/// \file
/// Arrays as generated functions take them.

#include "array.hpp"

#include <heed/runtime.hpp>

#include <algorithm>

template <int rank> std::array<std::int64_t, rank> shape_of(const array &a) {
  std::array<std::int64_t, rank> shape{};
  std::copy_n(a.shape.begin(), rank, shape.begin());
  return shape;
}

template <int rank> heed::view<const float, rank> view_of(const array &a) {
  return {a.values.data(), shape_of<rank>(a)};
}

template <int rank> heed::view<float, rank> view_of(array &a) { return {a.values.data(), shape_of<rank>(a)}; }
