//===- Against.h - A kernel with some schedules against others --*- C++ -*-===//
#ifndef HEED_TOOLS_AGAINST_H
#define HEED_TOOLS_AGAINST_H

#include "Kernels/LoadedKernel.h"

#include <functional>

namespace heed::tools {

/// The kernel with the schedules of another file, or with the defaults for "default".
LoadedKernel loadAgainst(const spec::graph &kernel, KernelOptions options, const std::string &schedules);

/// How many times as fast the first is.
struct AgainstResult {
  double median, lowerQuartile, upperQuartile;
};
AgainstResult timeAgainst(const std::function<void()> &first, const std::function<void()> &second, int pairs);

} // namespace heed::tools

#endif // HEED_TOOLS_AGAINST_H
