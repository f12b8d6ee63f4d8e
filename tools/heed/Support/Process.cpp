#include "Support/Process.h"

#include "Support/ToolError.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heed::tools {

std::vector<std::string> cxxCompiler() {
  const char *variable = std::getenv("CXX");
  std::vector<std::string> words;
  if (variable) {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(variable).split(parts, ' ', -1, false);
    for (llvm::StringRef part : parts)
      words.push_back(part.str());
  }
  if (!words.empty()) {
    auto found = llvm::sys::findProgramByName(words[0]);
    if (!found)
      throw ToolError(fmt::format("CXX: '{}' is not an executable; set it to a C++20 compiler", words[0]));
    words[0] = *found;
    return words;
  }
  for (const char *name : {"c++", "g++", "clang++"})
    if (auto found = llvm::sys::findProgramByName(name))
      return {*found};
  throw ToolError("no C++ compiler (c++, g++, clang++) is in PATH; install one or set CXX");
}

int runCommand(const std::vector<std::string> &command, const fs::path &output) {
  llvm::SmallVector<llvm::StringRef> arguments(command.begin(), command.end());
  std::string outputName = output.string();
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, std::nullopt, std::nullopt};
  if (!output.empty())
    redirects[1] = outputName;
  std::string message;
  int status = llvm::sys::ExecuteAndWait(command[0], arguments, std::nullopt, redirects, 0, 0, &message);
  if (status < 0)
    throw ToolError(fmt::format("{}: {}", command[0], message));
  return status;
}

fs::path cacheDirectory() {
  fs::path base;
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    base = cache;
  else if (const char *home = std::getenv("HOME"); home && *home)
    base = fs::path(home) / ".cache";
  else
    base = fs::temp_directory_path();
  std::error_code error;
  fs::create_directories(base / "heed", error);
  if (error)
    throw ToolError(fmt::format("{}: {}; set XDG_CACHE_HOME to a folder that can be written",
                                (base / "heed").string(), error.message()));
  return base / "heed";
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern =
      (fs::temp_directory_path() / ("heed-" + std::string(6, 'X'))).string(); // the form of mkdtemp
  if (!mkdtemp(pattern.data()))
    throw ToolError(
        fmt::format("{}: can't make a temporary folder there", fs::temp_directory_path().string()));
  directory = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(directory, ignored);
}

} // namespace heed::tools
