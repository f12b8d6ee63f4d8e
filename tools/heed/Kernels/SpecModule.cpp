#include "Kernels/SpecModule.h"

#include "Support/Names.h"
#include "Support/Process.h"
#include "Support/Progress.h"
#include "Support/ToolError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heed::tools {

namespace {

/// The folder that holds heed/dsl.hpp: $HEED_INCLUDE, else beside the installed program, else the source
/// tree.
std::string dslInclude() {
  if (const char *include = std::getenv("HEED_INCLUDE"); include && *include)
    return include;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path installed = program.parent_path().parent_path() / "include";
  if (!error && fs::exists(installed / "heed" / "dsl.hpp"))
    return installed.string();
  return HEED_SOURCE_INCLUDE;
}

std::string fileContent(const fs::path &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file.string());
  if (!buffer)
    throw ToolError(fmt::format("{}: {}", file.string(), buffer.getError().message()));
  return (*buffer)->getBuffer().str();
}

/// Runs the compiler over the spec; its own messages go to standard error as they are.
void compileSpec(std::vector<std::string> command, const std::string &spec, const fs::path &output) {
  command.insert(command.end(), {spec, "-o", output.string()});
  if (runCommand(command) != 0)
    throw ToolError(fmt::format("{}: does not compile; the compiler's message is above", spec));
}

/// The module of a .cpp file, from the cache or newly built.
fs::path builtModule(const std::string &spec) {
  if (!fs::exists(spec))
    throw ToolError(fmt::format("{}: no such file", spec));
  std::vector<std::string> compiler = cxxCompiler();
  std::vector<std::string> flags = {"-std=c++20", "-fPIC", "-I" + dslInclude()};
  std::vector<std::string> command = compiler;
  command.insert(command.end(), flags.begin(), flags.end());

  TemporaryDirectory scratch;
  std::vector<std::string> preprocess = command;
  preprocess.push_back("-E");
  compileSpec(preprocess, spec, scratch.path() / "spec.ii");
  std::vector<std::string> version = compiler;
  version.push_back("--version");
  runCommand(version, scratch.path() / "version");

  llvm::SHA256 hash;
  hash.update(fileContent(scratch.path() / "spec.ii"));
  hash.update(fileContent(scratch.path() / "version"));
  for (const std::string &word : command)
    hash.update(word);
  fs::path file = cacheDirectory() / (llvm::toHex(hash.final(), true).substr(0, 40) + ".so");
  if (fs::exists(file))
    return file;

  Progress progress(fmt::format("compiling {}", spec));
  fs::path fresh = file;
  fresh += fmt::format(".{}", getpid());
  command.push_back("-shared");
  compileSpec(command, spec, fresh);
  fs::rename(fresh, file);
  return file;
}

const spec::registration *loadModule(const std::string &spec, const fs::path &file) {
  void *handle = dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw ToolError(fmt::format("{}: neither a .cpp file nor a module built from one ({})", spec, dlerror()));
  auto *kernels = reinterpret_cast<spec::spec_kernels_function *>(dlsym(handle, spec::spec_kernels_symbol));
  const spec::registration *first = kernels ? kernels() : nullptr;
  if (!first)
    throw ToolError(
        fmt::format("{}: exports no kernel; write HEED_EXPORT(NAME); after a kernel's definition", spec));
  return first;
}

bool isSource(const std::string &spec) {
  std::string extension = fs::path(spec).extension();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C";
}

std::vector<std::string> namesOf(const std::vector<const spec::graph *> &kernels) {
  std::vector<std::string> names;
  for (const spec::graph *kernel : kernels)
    names.push_back(kernel->name);
  return names;
}

} // namespace

Specs::Specs(const std::vector<std::string> &files) {
  for (const std::string &file : files) {
    const spec::registration *entry = loadModule(file, isSource(file) ? builtModule(file) : fs::path(file));
    std::size_t first = all.size();
    if (isSource(file))
      addSource(file);
    for (; entry; entry = entry->next) {
      if (entry->kernel->version != spec::format_version)
        throw ToolError(fmt::format("{}: was built for format {}, this program reads {}; build it again",
                                    file, entry->kernel->version, spec::format_version));
      all.push_back(entry->kernel);
      if (!isSource(file) && fs::exists(entry->kernel->file))
        addSource(entry->kernel->file);
    }
    std::stable_sort(all.begin() + first, all.end(), [](const spec::graph *a, const spec::graph *b) {
      int order = std::strcmp(a->file, b->file);
      return order != 0 ? order < 0 : a->line < b->line;
    });
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::strcmp(all[i]->name, all[j]->name) == 0)
        throw ToolError(fmt::format("{}: kernel '{}' exists already ({}); give it another name",
                                    location(*all[i], all[i]->line), all[i]->name,
                                    location(*all[j], all[j]->line)));
}

void Specs::addSource(const std::string &file) {
  if (std::find(sourceFiles.begin(), sourceFiles.end(), file) == sourceFiles.end())
    sourceFiles.push_back(file);
}

const spec::graph &Specs::kernel(const std::string &name) const {
  if (name.empty() && all.size() == 1)
    return *all[0];
  if (name.empty())
    throw ToolError(fmt::format("the spec has {} kernels; choose one with --kernel: {}", all.size(),
                                joined(namesOf(all))));
  for (const spec::graph *kernel : all)
    if (name == kernel->name)
      return *kernel;
  throw ToolError(fmt::format("--kernel: there is no '{}', only {}{}", name, joined(namesOf(all)),
                              suggestion(name, namesOf(all))));
}

std::vector<const spec::graph *> Specs::select(const std::string &name) const {
  return name.empty() ? all : std::vector<const spec::graph *>{&kernel(name)};
}

std::string location(const spec::graph &kernel, int line) { return fmt::format("{}:{}", kernel.file, line); }

} // namespace heed::tools
