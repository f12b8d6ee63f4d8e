//===- Tokens.h - Lists of tokens -------------------------------*- C++ -*-===//
///
/// \file
/// What stands beside the rows and columns of a heat map, from the command line or a file.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_TOKENS_H
#define HEED_TOOLS_TOKENS_H

#include <string>
#include <vector>

namespace heed::tools {

/// A file, if one has this name or the name has a '/' or ends with .txt or .json: a JSON array of strings, or
/// a token in each line. Otherwise the list itself: a JSON array of strings, or tokens with commas between
/// them. Throws ToolError, beginning with `option`.
std::vector<std::string> readTokens(const std::string &option, const std::string &given);

} // namespace heed::tools

#endif // HEED_TOOLS_TOKENS_H
