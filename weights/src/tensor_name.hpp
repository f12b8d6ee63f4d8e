#pragma once
/// \file
/// Names of tensors in kernels and in files.

#include <string>
#include <string_view>
#include <vector>

namespace heed::detail {

/// As a kernel spells it: '.' and '/' become '_'.
std::string kernel_spelling(std::string_view name);

/// The candidate with the smallest edit distance once all are spelt alike; empty when none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string_view> &candidates);

} // namespace heed::detail
