#pragma once
/// \file
/// A dense float tensor that owns its values, filled from a seed or from a .npy file.

#include <cstdint>
#include <string>
#include <vector>

struct array {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// All elements equal.
array filled(std::vector<std::int64_t> shape, float value);

/// Uniform in [-range, range]; the same numbers for the same seed everywhere.
array random_array(std::vector<std::int64_t> shape, std::uint32_t seed, double range);

/// Reads a .npy file of float32 in C order; throws std::runtime_error when it is anything else.
array read_npy(const std::string &path);
