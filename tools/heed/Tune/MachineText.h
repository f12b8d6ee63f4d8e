//===- MachineText.h - The machine that a search ran on ---------*- C++ -*-===//
#ifndef HEED_TOOLS_MACHINETEXT_H
#define HEED_TOOLS_MACHINETEXT_H

#include "Target/Target.h"
#include "Tune/Problem.h"

#include <string>

namespace heed::tools {

/// What code for the target has, and the caches of this machine; usual sizes where the system doesn't tell
/// them.
tune::Machine machineFor(const Target &target, const ScheduleLimits &limits, int threads);

/// What runs code for the target: "AMD EPYC, 2 threads, 48 KiB and 1024 KiB of cache", or a device's name,
/// which a child asks for, since a driver does not outlive a fork. Throws ToolError when there is no device.
std::string machineText(const Target &target, const tune::Machine &machine);

} // namespace heed::tools

#endif // HEED_TOOLS_MACHINETEXT_H
