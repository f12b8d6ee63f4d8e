//===- StageNames.h - Forms of a kernel by name -----------------*- C++ -*-===//
///
/// \file
/// The forms that `compile --emit` and `show --form` print, from the graph to the machine code.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_STAGENAMES_H
#define HEED_TOOLS_STAGENAMES_H

#include "Compile.h"

#include <string>
#include <vector>

namespace heed::tools {

/// "graph", "heed", "fused", "schedule", "driver", "stmt", "asm"
const std::vector<std::string> &stageNames();

/// One kernel's form. Throws ToolError.
std::string stageText(const spec::graph &kernel, const std::string &stage, const CompileOptions &options);

} // namespace heed::tools

#endif // HEED_TOOLS_STAGENAMES_H
