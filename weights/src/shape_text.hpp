#pragma once
/// \file
/// Shapes in messages.

#include <cstdint>
#include <string>
#include <vector>

namespace heed::detail {

/// "(4,7,1)"
std::string shape_text(const std::vector<std::int64_t> &shape);

/// Bytes of a dense tensor; false where they are more than 2^63.
bool dense_bytes(const std::vector<std::int64_t> &shape, std::uint64_t element_bytes,
                 std::uint64_t &bytes) noexcept;

} // namespace heed::detail
