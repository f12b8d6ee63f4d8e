//===- Measure.h - A kernel's time beside the machine's limits --*- C++ -*-===//
///
/// \file
/// Times calls of a kernel, interleaved with probes of the limit it is compared with, so that both see the
/// same clock and the same neighbours.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_MEASURE_H
#define HEED_TOOLS_MEASURE_H

#include "Measure/Work.h"
#include "heed/abi.h"

#include <functional>
#include <string>
#include <vector>

namespace heed::tools {

/// A device has limits that nothing here measures.
inline constexpr const char *notProbed = "not_probed";

struct Measurement {
  double secondsMedian = 0, secondsMinimum = 0;
  double spread = 0;    ///< half the distance between the quartiles, relative to the median
  std::string limit;    ///< "fma", "bf16_dot", "read_bandwidth" or notProbed
  double rate = 0;      ///< operations or bytes per second at the median time
  double limitRate = 0; ///< upper quartile of the probes
  double share() const { return limitRate > 0 ? rate / limitRate : 0; }
};

/// `call` runs the kernel once. The limit is the read bandwidth when the operations per byte are fewer than
/// the machine does while it reads one, else the peak of the vectors that `level` has: of dot products of
/// bf16 where the level has them and the kernel some, else of fused multiply-adds. The time is the median;
/// the limit is the upper quartile of its probes, since other work on the machine can only push a limit down.
/// A `limit` that an earlier measurement found is taken, which saves the probe of the other;
/// with notProbed there are no probes.
Measurement measure(const std::function<void()> &call, const Work &work, int threads, int repeats,
                    heed_cpu_level level, const std::string &limit = "");

/// Seconds that so many calls take.
double timeCalls(const std::function<void()> &call, std::int64_t calls);

/// Warms up, and finds how many calls make a sample that is long against the clock's grain.
std::int64_t callsPerSample(const std::function<void()> &call);

/// The middle of the values; 0 when there are none.
double median(std::vector<double> values);

} // namespace heed::tools

#endif // HEED_TOOLS_MEASURE_H
