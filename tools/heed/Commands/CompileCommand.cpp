#include "Commands/Commands.h"
#include "Commands/TargetFlag.h"

#include "Kernels/SpecModule.h"
#include "Kernels/StageNames.h"
#include "Support/Process.h"
#include "Support/Progress.h"
#include "Support/ToolError.h"

#include <filesystem>
#include <fmt/format.h>

namespace heed::tools {

namespace {

struct Options {
  std::vector<std::string> specs;
  std::string kernel, emit;
  CompileOptions compile;
};

std::string counted(std::size_t kernels) {
  return fmt::format("{} kernel{}", kernels, kernels == 1 ? "" : "s");
}

void writeLibrary(const std::vector<const spec::graph *> &kernels, const CompileOptions &options) {
  Progress progress("compiling " + counted(kernels.size()));
  if (llvm::Error error = compileLibrary(kernels, options))
    throw ToolError(llvm::toString(std::move(error)));
}

/// One relocatable object with everything that the library would hold.
void writeObject(const std::vector<const spec::graph *> &kernels, CompileOptions options) {
  std::filesystem::path object = std::filesystem::path(options.outputDirectory) / (options.name + ".o");
  std::filesystem::create_directories(options.outputDirectory);
  TemporaryDirectory scratch;
  options.outputDirectory = scratch.path().string();
  writeLibrary(kernels, options);
  std::vector<std::string> command = cxxCompiler();
  command.insert(command.end(), {"-r", "-nostdlib", "-o", object.string(), "-Wl,--whole-archive",
                                 (scratch.path() / ("lib" + options.name + ".a")).string()});
  if (runCommand(command) != 0)
    throw ToolError(fmt::format("{}: doesn't link; the linker's message is above", object.string()));
}

void compile(const Options &options) {
  auto start = std::chrono::steady_clock::now();
  Specs specs(options.specs);
  std::vector<const spec::graph *> kernels = specs.select(options.kernel);
  if (!options.emit.empty() && options.emit != "object") {
    for (const spec::graph *kernel : kernels)
      fmt::print("{}", stageText(*kernel, options.emit, withSpecs(options.compile, specs)));
    return;
  }
  std::filesystem::path folder = options.compile.outputDirectory;
  const std::string &name = options.compile.name;
  if (options.emit == "object")
    writeObject(kernels, withSpecs(options.compile, specs));
  else
    writeLibrary(kernels, withSpecs(options.compile, specs));
  fmt::print("{}: {} in {:.2f} s\n",
             options.emit == "object"
                 ? (folder / (name + ".o")).string()
                 : fmt::format("{}, {}.h, {}_c.h", (folder / ("lib" + name + ".a")).string(), name, name),
             counted(kernels.size()), secondsSince(start));
}

} // namespace

void addCompile(CLI::App &program) {
  auto options = std::make_shared<Options>();
  CLI::App *command = program.add_subcommand(
      "compile", "Compile specs into libNAME.a with the headers NAME.h (C++) and NAME_c.h (C)");
  command->add_option("SPEC", options->specs, "Specs: .cpp files or modules built from them")->required();
  command->add_option("--name", options->compile.name, "Name of the library")->capture_default_str();
  command
      ->add_option("-o,--output", options->compile.outputDirectory, "Folder for the files; made when missing")
      ->capture_default_str();
  command->add_option("-k,--kernel", options->kernel, "Only this kernel");
  command->add_option("--schedule", options->compile.scheduleFile,
                      "File with schedules, as --emit=schedule prints them");
  command->add_option("--target", options->compile.target, "\"host\", or a CPU such as x86-64-linux-avx2-fma")
      ->capture_default_str();
  std::vector<std::string> forms = stageNames();
  forms.push_back("object");
  command
      ->add_option("--emit", options->emit,
                   "Print this form, or write one object NAME.o, instead of a library")
      ->check(CLI::IsMember(forms));
  command->callback([options] { compile(*options); });
}

} // namespace heed::tools
