#pragma once
/// \file
/// How many threads a call may use.

#include <cstdint>

namespace heed::runtime {

/// More are never used, whatever a caller asks for.
inline constexpr std::int32_t max_threads = 256;

/// The value of heed_set_threads, or one per core that this process may run on.
std::int32_t default_threads() noexcept;

} // namespace heed::runtime
