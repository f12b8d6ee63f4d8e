//===- DeviceCode.h - What a device makes of its functions ------*- C++ -*-===//
#ifndef HEED_TOOLS_DEVICECODE_H
#define HEED_TOOLS_DEVICECODE_H

#include "Compile.h"

#include <string>

namespace heed::tools {

/// A line for each kernel of the device functions: for CUDA its registers, spills and static shared memory,
/// as ptxas says, and where the code tells its threads, how many fit at once; else how long its source is.
/// Throws ToolError when the kernel doesn't compile.
std::string deviceCodeText(const spec::graph &kernel, const CompileOptions &options);

} // namespace heed::tools

#endif // HEED_TOOLS_DEVICECODE_H
