#include "Support/Depfile.h"

#include "Support/ToolError.h"

#include <fmt/format.h>
#include <fstream>

namespace heed::tools {

namespace {

/// Blanks and `#` behind a backslash, `$` doubled.
std::string escaped(const std::filesystem::path &path) {
  std::string text;
  for (char c : path.string()) {
    if (c == ' ' || c == '#')
      text += '\\';
    if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

std::string list(const std::vector<std::filesystem::path> &paths) {
  std::string text;
  for (const std::filesystem::path &path : paths)
    text += (text.empty() ? "" : " ") + escaped(path);
  return text;
}

} // namespace

void writeDepfile(const std::filesystem::path &file, const std::vector<std::filesystem::path> &outputs,
                  const std::vector<std::filesystem::path> &inputs) {
  std::ofstream stream(file, std::ios::binary);
  stream << list(outputs) << ": " << list(inputs) << "\n";
  for (const std::filesystem::path &input : inputs)
    stream << escaped(input) << ":\n";
  stream.close();
  if (!stream)
    throw ToolError(
        fmt::format("--depfile: {} can't be written; name a file in a folder that exists", file.string()));
}

} // namespace heed::tools
