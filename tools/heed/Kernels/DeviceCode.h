//===- DeviceCode.h - What a device makes of its functions ------*- C++ -*-===//
#ifndef HEED_TOOLS_DEVICECODE_H
#define HEED_TOOLS_DEVICECODE_H

#include "Compile.h"

#include <string>

namespace heed::tools {

/// A line for each kernel of the device functions: for CUDA its registers, spills, shared memory and the
/// share of a processor's threads that fit, as ptxas says; else how long its source is. Throws ToolError when
/// the kernel doesn't compile.
std::string deviceCodeText(const spec::graph &kernel, const CompileOptions &options);

} // namespace heed::tools

#endif // HEED_TOOLS_DEVICECODE_H
