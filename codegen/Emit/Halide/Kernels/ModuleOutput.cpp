#include "ModuleOutput.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace heed::kernels {

namespace {

/// A folder of our own for Halide's output files.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / ("heed-" + std::string(6, 'X')))
                              .string(); // the form of mkdtemp
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("temporary folder: " + pattern + " can't be made");
    path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

} // namespace

std::string compiled(const Halide::Module &module, Halide::OutputFileType form) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path / "output";
  module.compile({{form, file.string()}});
  return readFile(file);
}

} // namespace heed::kernels
