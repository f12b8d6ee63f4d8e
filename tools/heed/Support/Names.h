//===- Names.h - Near misses in names ---------------------------*- C++ -*-===//
///
/// \file
/// Suggestions for misspelt kernels, arguments and sizes.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_NAMES_H
#define HEED_TOOLS_NAMES_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::tools {

/// The candidate with the smallest edit distance to `name`, empty when none is near.
std::string nearestName(std::string_view name, const std::vector<std::string> &candidates);

/// "; did you mean 'queries'?", or nothing when no candidate is near.
std::string suggestion(std::string_view name, const std::vector<std::string> &candidates);

/// "a, b, c"
std::string joined(const std::vector<std::string> &names);

/// Splits "name=value" of an option; throws ToolError naming the option when either side is missing.
std::pair<std::string, std::string> splitAssignment(const std::string &option, const std::string &text);

} // namespace heed::tools

#endif // HEED_TOOLS_NAMES_H
