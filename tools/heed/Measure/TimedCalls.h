//===- TimedCalls.h - Calls of kernels, as they are timed -------*- C++ -*-===//
#ifndef HEED_TOOLS_TIMEDCALLS_H
#define HEED_TOOLS_TIMEDCALLS_H

#include "Kernels/LoadedKernel.h"
#include "Measure/BenchArguments.h"
#include "Measure/DeviceArguments.h"
#include "Measure/Measure.h"

#include <functional>
#include <optional>

namespace heed::tools {

/// Calls on the same arguments, which must outlive them. On a device the arguments are in its memory, and a
/// call lasts until the device is done; what it writes is not seen in the host's.
class TimedCalls {
public:
  TimedCalls(const Target &target, const BenchArguments &arguments, int threads);

  /// Runs the kernel, which must outlive the function.
  std::function<void()> of(const LoadedKernel &kernel) const;

  /// What `measure` takes: this machine's probes say nothing of a device that is not its CPU.
  const char *limit() const { return isProbed ? "" : notProbed; }

private:
  const BenchArguments &arguments;
  std::optional<DeviceArguments> onDevice;
  int threads;
  bool isProbed;
};

} // namespace heed::tools

#endif // HEED_TOOLS_TIMEDCALLS_H
