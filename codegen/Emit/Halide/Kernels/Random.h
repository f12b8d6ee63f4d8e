//===- Random.h - Random numbers that depend on nothing else ----*- C++ -*-===//
//
// Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): a
// number per counter, the same on every target, for every tiling and any number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_RANDOM_H
#define HEED_CODEGEN_KERNELS_RANDOM_H

#include <Halide.h>

#include <array>
#include <cstdint>

namespace heed::kernels {

/// The four words (uint32) of one counter under one key.
std::array<Halide::Expr, 4> philox(std::array<Halide::Expr, 4> counter, std::array<Halide::Expr, 2> key);

/// A float in [0, 1), a multiple of 2^-24: (word 0 >> 8) * 2^-24 for the key (seed, seed >> 32) and the
/// counter (index, index >> 32, site, 0). `seed` and `index` are int64.
Halide::Expr uniform(const Halide::Expr &seed, const Halide::Expr &index, uint32_t site);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_RANDOM_H
