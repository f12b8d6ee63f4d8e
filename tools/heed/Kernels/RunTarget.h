//===- RunTarget.h - Which of several targets runs here ---------*- C++ -*-===//
#ifndef HEED_TOOLS_RUNTARGET_H
#define HEED_TOOLS_RUNTARGET_H

#include "Target/Target.h"
#include "heed/dsl/graph_data.hpp"

#include <string>

namespace heed::tools {

/// Of the targets that a text names for a kernel, the one that calls run on this machine, under the limit of
/// HEED_CPU_LEVEL. Throws ToolError when there is none, or when the kernel doesn't compile.
Target runTarget(const spec::graph &kernel, const std::string &target);

/// What a program is made for.
Target targetOf(const heed_program &program);

} // namespace heed::tools

#endif // HEED_TOOLS_RUNTARGET_H
