//===- RunLevel.h - The CPU level that a target runs at ---------*- C++ -*-===//
#ifndef HEED_TOOLS_RUNLEVEL_H
#define HEED_TOOLS_RUNLEVEL_H

#include "heed/abi.h"

#include <string>

namespace heed::tools {

/// Of the levels that a target names, the one that calls run on this machine, under the limit of
/// HEED_CPU_LEVEL. Throws ToolError when there is none.
heed_cpu_level runLevel(const std::string &target);

} // namespace heed::tools

#endif // HEED_TOOLS_RUNLEVEL_H
