//===- DeviceArguments.h - Arguments in a device's memory -------*- C++ -*-===//
#ifndef HEED_TOOLS_DEVICEARGUMENTS_H
#define HEED_TOOLS_DEVICEARGUMENTS_H

#include "Target/Target.h"

#include <span>
#include <string>
#include <vector>

namespace heed::tools {

/// Copies of arguments on the default device of a target's interface, so that a call neither copies nor
/// waits. Scalars stay where they are. Throws ToolError where the device has no memory for them.
class DeviceArguments {
public:
  DeviceArguments(const Target &target, std::span<const heed_view> arguments);
  ~DeviceArguments();
  DeviceArguments(const DeviceArguments &) = delete;

  std::span<const heed_view> views() const { return copies; }

  /// Until all that calls have begun is done.
  void wait() const;

private:
  heed_device device = {};
  std::vector<heed_view> copies;
};

/// Of the default device of the target's interface. Throws ToolError when there is none.
std::string deviceName(const Target &target);

/// Whether the probes of this machine's CPU say what the default device can do: it is the CPU. Throws
/// ToolError when there is no device.
bool isCpu(const Target &target);

} // namespace heed::tools

#endif // HEED_TOOLS_DEVICEARGUMENTS_H
