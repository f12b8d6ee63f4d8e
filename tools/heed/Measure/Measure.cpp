#include "Measure/Measure.h"

#include "Measure/Limits.h"
#include "Support/Progress.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heed::tools {

namespace {

/// A sample shorter than this is repeated calls: the clock and the probes' start-up must not show.
constexpr double shortestSample = 10e-3;

} // namespace

double timeCalls(const std::function<void()> &call, std::int64_t calls) {
  auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < calls; ++i)
    call();
  return secondsSince(start);
}

std::int64_t callsPerSample(const std::function<void()> &call) {
  double elapsed = timeCalls(call, 1);
  std::int64_t calls = 1;
  while (elapsed < shortestSample) {
    calls = std::max(calls * 2, static_cast<std::int64_t>(calls * shortestSample / std::max(elapsed, 1e-9)));
    elapsed = timeCalls(call, calls);
  }
  return calls;
}

namespace {

double quantile(std::vector<double> values, double part) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  double position = part * static_cast<double>(values.size() - 1);
  auto below = static_cast<std::size_t>(position);
  double above = values[std::min(below + 1, values.size() - 1)];
  return values[below] + (position - static_cast<double>(below)) * (above - values[below]);
}

} // namespace

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

Measurement measure(const std::function<void()> &call, const Work &work, int threads, int repeats,
                    heed_cpu_level level, const std::string &limit) {
  const bool isDot = work.dotsBf16 && probeLoops(level).bf16Dot;
  std::optional<ArithmeticProbe> arithmetic;
  std::optional<BandwidthProbe> bandwidth;
  const bool isProbed = limit != notProbed;
  if (isProbed && limit != "read_bandwidth")
    arithmetic.emplace(threads, level, isDot ? Arithmetic::Bf16Dot : Arithmetic::Fma);
  if (limit.empty() || limit == "read_bandwidth")
    bandwidth.emplace(threads);
  bool memoryBound = isProbed && !arithmetic;
  if (arithmetic && bandwidth) {
    constexpr double probeTime = 0.02;
    double balance = arithmetic->measure(probeTime) / bandwidth->measure(probeTime);
    memoryBound = work.operations < balance * work.bytes;
    if (!memoryBound)
      bandwidth.reset();
  }

  timeCalls(call, 1);
  std::int64_t calls = callsPerSample(call);
  double sampleTime = timeCalls(call, calls);
  std::vector<double> seconds, limits;
  for (int i = 0; i < repeats; ++i) {
    seconds.push_back(timeCalls(call, calls) / static_cast<double>(calls));
    if (isProbed)
      limits.push_back(memoryBound ? bandwidth->measure(sampleTime) : arithmetic->measure(sampleTime));
  }
  Measurement result;
  result.secondsMedian = median(seconds);
  result.secondsMinimum = *std::min_element(seconds.begin(), seconds.end());
  result.spread = (quantile(seconds, 0.75) - quantile(seconds, 0.25)) / (2 * result.secondsMedian);
  result.limit = !isProbed ? notProbed : memoryBound ? "read_bandwidth" : isDot ? "bf16_dot" : "fma";
  result.rate = (memoryBound ? work.bytes : work.operations) / result.secondsMedian;
  result.limitRate = quantile(limits, 0.75);
  return result;
}

} // namespace heed::tools
