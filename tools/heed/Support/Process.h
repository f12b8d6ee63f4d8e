//===- Process.h - Running the C++ compiler ---------------------*- C++ -*-===//
///
/// \file
/// The user's C++ compiler as a child process, and the folders it works in.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PROCESS_H
#define HEED_TOOLS_PROCESS_H

#include <filesystem>
#include <string>
#include <vector>

namespace heed::tools {

/// $CXX split at blanks, else the first of c++, g++, clang++ that exists. The first element is a full path.
std::vector<std::string> cxxCompiler();

/// Runs a command and returns its exit status. Its standard output goes to `output` unless that is empty; its
/// standard error is the caller's.
int runCommand(const std::vector<std::string> &command, const std::filesystem::path &output = {});

/// $XDG_CACHE_HOME/heed, else ~/.cache/heed, else a folder in the temporary one; created when missing.
std::filesystem::path cacheDirectory();

/// A folder of its own that is removed with everything in it at the end of its life.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;

  const std::filesystem::path &path() const { return directory; }

private:
  std::filesystem::path directory;
};

} // namespace heed::tools

#endif // HEED_TOOLS_PROCESS_H
