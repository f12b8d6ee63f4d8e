#include "Commands/Commands.h"
#include "Commands/TargetFlag.h"

#include "Kernels/SpecModule.h"
#include "Kernels/StageNames.h"
#include "Support/Depfile.h"
#include "Support/Process.h"
#include "Support/Progress.h"
#include "Support/ToolError.h"

#include <filesystem>
#include <fmt/format.h>

namespace heed::tools {

namespace {

struct Options {
  std::vector<std::string> specs;
  std::string kernel, emit, depfile;
  CompileOptions compile;
};

std::string counted(std::size_t kernels) {
  return fmt::format("{} kernel{}", kernels, kernels == 1 ? "" : "s");
}

CompileReport writeLibrary(const std::vector<const spec::graph *> &kernels, const CompileOptions &options) {
  CompileReport report;
  {
    Progress progress("compiling " + counted(kernels.size()));
    if (llvm::Error error = compileLibrary(kernels, options, &report))
      throw ToolError(llvm::toString(std::move(error)));
  }
  for (const std::string &note : report.notes)
    fmt::print(stderr, "heed: {}\n", note);
  return report;
}

/// One relocatable object with everything that the library would hold.
CompileReport writeObject(const std::vector<const spec::graph *> &kernels, CompileOptions options) {
  std::filesystem::path object = std::filesystem::path(options.outputDirectory) / (options.name + ".o");
  std::filesystem::create_directories(options.outputDirectory);
  TemporaryDirectory scratch;
  options.outputDirectory = scratch.path().string();
  CompileReport report = writeLibrary(kernels, options);
  std::vector<std::string> command = cxxCompiler();
  command.insert(command.end(), {"-r", "-nostdlib", "-o", object.string(), "-Wl,--whole-archive",
                                 (scratch.path() / ("lib" + options.name + ".a")).string()});
  if (runCommand(command) != 0)
    throw ToolError(fmt::format("{}: doesn't link; the linker's message is above", object.string()));
  return report;
}

/// The specs and the schedule files decide what is in the outputs.
void writeDependencies(const Options &options, const CompileReport &report) {
  if (options.depfile.empty())
    return;
  std::filesystem::path folder = options.compile.outputDirectory;
  const std::string &name = options.compile.name;
  std::vector<std::filesystem::path> outputs = {folder / (name + ".o")}, inputs;
  if (options.emit != "object")
    outputs = {folder / ("lib" + name + ".a"), folder / (name + ".h"), folder / (name + "_c.h")};
  for (const std::string &spec : options.specs)
    inputs.push_back(std::filesystem::absolute(spec));
  for (const std::string &file : report.scheduleFiles)
    inputs.push_back(std::filesystem::absolute(file));
  writeDepfile(options.depfile, outputs, inputs);
}

void printForms(const Options &options, const std::vector<const spec::graph *> &kernels,
                const CompileOptions &compile) {
  if (options.emit == "schedule") {
    llvm::Expected<std::string> text = printSchedules(kernels, compile);
    if (!text)
      throw ToolError(llvm::toString(text.takeError()));
    fmt::print("{}", *text);
    return;
  }
  for (const spec::graph *kernel : kernels)
    fmt::print("{}", stageText(*kernel, options.emit, compile));
}

void compile(const Options &options) {
  auto start = std::chrono::steady_clock::now();
  Specs specs(options.specs);
  std::vector<const spec::graph *> kernels = specs.select(options.kernel);
  const CompileOptions compile = withSpecs(options.compile, specs);
  if (!options.emit.empty() && options.emit != "object")
    return printForms(options, kernels, compile);
  std::filesystem::path folder = options.compile.outputDirectory;
  const std::string &name = options.compile.name;
  CompileReport report =
      options.emit == "object" ? writeObject(kernels, compile) : writeLibrary(kernels, compile);
  writeDependencies(options, report);
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
                      "File with schedules, as --emit=schedule prints them; else STEM.TARGET.schedule beside "
                      "each source is read");
  command
      ->add_option("--source", options->compile.sources,
                   "Source that a module was built from, beside which schedules are looked for")
      ->allow_extra_args(false);
  command->add_option("--depfile", options->depfile,
                      "Write what the outputs depend on to this file, in the language of make");
  addTargetFlag(*command, options->compile.target);
  std::vector<std::string> forms = stageNames();
  forms.push_back("object");
  command
      ->add_option("--emit", options->emit,
                   "Print this form, or write one object NAME.o, instead of a library")
      ->check(CLI::IsMember(forms));
  command->callback([options] { compile(*options); });
}

} // namespace heed::tools
