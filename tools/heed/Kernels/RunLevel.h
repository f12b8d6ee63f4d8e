//===- RunLevel.h - The CPU level that a target runs at ---------*- C++ -*-===//
#ifndef HEED_TOOLS_RUNLEVEL_H
#define HEED_TOOLS_RUNLEVEL_H

#include "heed/abi.h"
#include "heed/dsl/graph_data.hpp"

#include <string>

namespace heed::tools {

/// Of the levels that a target names for a kernel, the one that calls run on this machine, under the limit of
/// HEED_CPU_LEVEL. Throws ToolError when there is none, or when the kernel doesn't compile.
heed_cpu_level runLevel(const spec::graph &kernel, const std::string &target);

} // namespace heed::tools

#endif // HEED_TOOLS_RUNLEVEL_H
