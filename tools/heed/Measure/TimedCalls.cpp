#include "Measure/TimedCalls.h"

namespace heed::tools {

TimedCalls::TimedCalls(const Target &target, const BenchArguments &arguments, int threads)
    : arguments(arguments), threads(threads), isProbed(isCpu(target)) {
  if (target.isDevice())
    onDevice.emplace(target, arguments.views);
}

std::function<void()> TimedCalls::of(const LoadedKernel &kernel) const {
  if (!onDevice)
    return [this, &kernel] { kernel.call(arguments.views, threads); };
  return [this, &kernel] {
    kernel.call(onDevice->views(), threads);
    onDevice->wait();
  };
}

} // namespace heed::tools
