#include "Commands/Commands.h"
#include "Commands/TargetFlag.h"
#include "Commands/WeightFlags.h"

#include "Arrays/Arguments.h"
#include "Arrays/GivenInputs.h"
#include "Arrays/Npy.h"
#include "Kernels/LoadedKernel.h"
#include "Kernels/SpecModule.h"
#include "Support/Names.h"
#include "Support/ToolError.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace heed::tools {

namespace {

struct Options {
  std::string spec, kernel;
  std::vector<std::string> inputs, outputs;
  WeightFiles weights;
  int threads = 0;
  KernelOptions compile;
};

/// "y: f32 (3, 5, 8)  0.102 -0.31 0.55 … 1.2   (min -1.9, max 2.2)"
std::string inShort(const std::string &name, const HostTensor &tensor) {
  constexpr std::int64_t shown = 6;
  std::string text =
      fmt::format("{}: {} {} ", name, typeName(tensor.type), reference::shapeText(tensor.shape));
  for (std::int64_t i = 0; i < std::min(shown, tensor.size()); ++i)
    text += fmt::format(" {:.6g}", static_cast<double>(tensor.at(i)));
  if (tensor.size() <= shown)
    return text;
  double smallest = static_cast<double>(tensor.at(0)), largest = smallest;
  for (std::int64_t i = 1; i < tensor.size(); ++i) {
    smallest = std::min(smallest, static_cast<double>(tensor.at(i)));
    largest = std::max(largest, static_cast<double>(tensor.at(i)));
  }
  return text + fmt::format(" …  (min {:.6g}, max {:.6g})", smallest, largest);
}

/// The files of "--out NAME=FILE", by the result's number.
std::map<int, std::string> outputFiles(const spec::graph &kernel, const std::vector<std::string> &options) {
  std::vector<std::string> names = resultNames(kernel);
  std::map<int, std::string> files;
  for (const std::string &option : options) {
    auto [name, file] = splitAssignment("--out", option);
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw ToolError(fmt::format("--out {}: {} has no output '{}', only {}{}", option, kernel.name, name,
                                  joined(names), suggestion(name, names)));
    files[static_cast<int>(found - names.begin())] = file;
  }
  return files;
}

void runKernel(const Options &options) {
  Specs specs({options.spec});
  const spec::graph &kernel = specs.kernel(options.kernel);
  std::map<int, std::string> files = outputFiles(kernel, options.outputs);
  Arguments arguments = readArguments(kernel, options.inputs, options.weights);
  LoadedKernel loaded(kernel, withSpecs(options.compile, specs));
  loaded.call(arguments.views(), options.threads);
  std::vector<std::string> names = resultNames(kernel);
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    const HostTensor &result = arguments.result(kernel, i);
    if (files.count(i))
      writeNpy(files[i], result);
    else
      fmt::print("{}\n", inShort(names[i], result));
  }
}

} // namespace

void addRun(CLI::App &program) {
  auto options = std::make_shared<Options>();
  CLI::App *command = program.add_subcommand("run", "Compile a kernel and call it with arrays from files");
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel,
                      "The kernel; may be left out when the spec has just one");
  command->add_option("--in", options->inputs, std::string(inputOptionHelp) + "; all are needed")->take_all();
  addWeightFlags(*command, options->weights);
  command
      ->add_option(
          "--out", options->outputs,
          "NAME=FILE.npy, also for what the call leaves in a state; what has no file is printed in short")
      ->take_all();
  command->add_option("--threads", options->threads, "Threads of the call; 0: one per core")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--schedule", options->compile.scheduleFile, "File with schedules");
  addTargetFlag(*command, options->compile.target);
  command->callback([options] { runKernel(*options); });
}

} // namespace heed::tools
