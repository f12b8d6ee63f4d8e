//===- Depfile.h - What a build tool has to watch ---------------*- C++ -*-===//
#ifndef HEED_TOOLS_DEPFILE_H
#define HEED_TOOLS_DEPFILE_H

#include <filesystem>
#include <vector>

namespace heed::tools {

/// Writes a rule in the language of make: the outputs depend on the inputs. Each input has a rule of its own
/// without anything to do, so that one that is gone makes the outputs anew instead of being missed. Throws
/// ToolError when the file can't be written.
void writeDepfile(const std::filesystem::path &file, const std::vector<std::filesystem::path> &outputs,
                  const std::vector<std::filesystem::path> &inputs);

} // namespace heed::tools

#endif // HEED_TOOLS_DEPFILE_H
