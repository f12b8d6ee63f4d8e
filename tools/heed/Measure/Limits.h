//===- Limits.h - What the machine can do at most ---------------*- C++ -*-===//
///
/// \file
/// Peaks that a kernel's speed is compared with, measured beside the kernel since clocks and neighbours
/// change from minute to minute. A limit that is measured too low flatters the kernel, so each probe uses the
/// widest instructions that the CPU has and the best of several access patterns.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_LIMITS_H
#define HEED_TOOLS_LIMITS_H

#include "Measure/ProbeLoops.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace heed::tools {

/// What multiplies and adds: fused multiply-adds in float32, two operations each, or dot products of pairs of
/// bf16, four operations per lane.
enum class Arithmetic { Fma, Bf16Dot };

/// Instructions of one kind on several threads at once.
class ArithmeticProbe {
public:
  /// Uses the vectors that code for `level` has, which must have the kind.
  ArithmeticProbe(int threads, heed_cpu_level level, Arithmetic kind = Arithmetic::Fma);

  /// Runs for about that long; operations per second of all threads together.
  double measure(double seconds);

private:
  int threads;
  float (*loop)(std::int64_t rounds);
  double operationsPerRound;
  double rate; ///< loop rounds per second of one thread, from the run before
};

/// Sums a buffer that is many times larger than the caches.
class BandwidthProbe {
public:
  explicit BandwidthProbe(int threads);
  ~BandwidthProbe();

  /// Reads for about that long; bytes per second of all threads together.
  double measure(double seconds);

private:
  double readOnce(std::size_t bytesPerThread, int streams);

  int threads;
  ProbeLoops loops;
  int streams = 1; ///< rows that a thread reads side by side: the fastest number on this machine
  std::size_t bytes;
  std::unique_ptr<float, void (*)(void *)> buffer;
  double rate;          ///< bytes per second, from the run before
  std::size_t next = 0; ///< where the next measurement starts, so that nothing is in a cache
};

/// Memory as the probes and the kernels under test get it: aligned to a huge page, and in huge pages where
/// the system has some.
std::unique_ptr<float, void (*)(void *)> allocateHuge(std::size_t bytes);

} // namespace heed::tools

#endif // HEED_TOOLS_LIMITS_H
