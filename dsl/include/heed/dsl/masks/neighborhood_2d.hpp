#pragma once
/// \file
/// neighborhood_2d(height, width, kernel_height, kernel_width): the pixels around a pixel (NAT, Hassani et
/// al. 2022, arXiv:2204.07143).

#include <heed/dsl/extent.hpp>
#include <heed/dsl/program.hpp>

#include <cstdint>

namespace heed {

/// Tokens are the pixels of an image, row by row. Every pixel sees kernel_height × kernel_width pixels: those
/// around it, moved so that they lie within the image. Visible where, for rows and for columns alike,
/// start <= k < start + kernel with start = clamp(q - kernel / 2, 0, size - kernel).
constexpr auto neighborhood_2d(const extent &height, const extent &width, std::int64_t kernel_height,
                               std::int64_t kernel_width) {
  return [=](index, index, index q, index k) {
    const auto is_near = [](const scalar &query, const scalar &key, const extent &size, std::int64_t kernel) {
      const scalar start = max(min(query - kernel / 2 + kernel, size) - kernel, 0);
      return start <= key && key < start + kernel;
    };
    return is_near(q / width, k / width, height, kernel_height) &&
           is_near(q % width, k % width, width, kernel_width);
  };
}

} // namespace heed
