//===- Duration.h - Spans of time on the command line -----------*- C++ -*-===//
#ifndef HEED_TOOLS_DURATION_H
#define HEED_TOOLS_DURATION_H

#include <string>

namespace heed::tools {

/// Seconds of "90s", "5m", "1.5h" or "90". Throws ToolError naming the option.
double parseDuration(const std::string &option, const std::string &text);

} // namespace heed::tools

#endif // HEED_TOOLS_DURATION_H
