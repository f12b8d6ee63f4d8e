//===- Philox.h - The random numbers of dropout -----------------*- C++ -*-===//
///
/// \file
/// Philox 4×32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a
/// bijection of 128-bit counters, keyed by 64 bits. A number depends on nothing but its key and its counter,
/// so it is the same for every order of evaluation.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_PHILOX_H
#define HEED_CODEGEN_REFERENCE_PHILOX_H

#include <array>
#include <cstdint>

namespace heed::reference {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// In [0, 1), a multiple of 2^-24: the upper bits of the first word for the key `seed` and the counter
/// (index, site, 0), low words first.
float uniform(std::int64_t seed, std::int64_t index, std::int32_t site);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_PHILOX_H
