#include "Commands/Commands.h"
#include "Commands/TargetFlag.h"

#include "Arrays/GivenInputs.h"
#include "Kernels/RunTarget.h"
#include "Kernels/SpecModule.h"
#include "Support/ToolError.h"
#include "Tune/Duration.h"
#include "Tune/Tuner.h"

#include <fmt/format.h>
#include <thread>

namespace heed::tools {

namespace {

struct Options {
  std::string spec, kernel, out, target = "host", budget = "60s";
  std::vector<std::string> sizes, at, inputs;
  int threads = 0;
  std::uint64_t seed = 1;
  bool resume = false;
};

/// Every --at with the --size options that it completes.
std::vector<SymbolValues> sizesOf(const spec::graph &kernel, const Options &options, const Inputs &given) {
  std::vector<std::string> groups = options.at;
  if (groups.empty())
    groups.emplace_back();
  std::vector<SymbolValues> sizes;
  for (const std::string &group : groups) {
    std::vector<std::string> assignments = options.sizes;
    std::istringstream words(group);
    for (std::string word; std::getline(words, word, ',');)
      assignments.push_back(word);
    SymbolValues values = parseSizes(kernel, assignments);
    bindInputs(kernel, given, values);
    requireComplete(kernel, values);
    sizes.push_back(std::move(values));
  }
  return sizes;
}

/// One, which this machine runs.
Target targetFor(const spec::graph &kernel, const std::string &target) {
  llvm::Expected<Targets> targets = parseTarget(target, /*dotsBf16=*/true);
  if (!targets)
    throw ToolError(llvm::toString(targets.takeError()));
  if (targets->size() > 1)
    throw ToolError(
        fmt::format("--target: found '{}', one CPU level or device is needed, since schedules hold for one; "
                    "tune for one after the other",
                    target));
  // A device is opened by the children that use it alone: it would not outlive a fork.
  return targets->front().isDevice() ? targets->front() : runTarget(kernel, target);
}

/// STEM.TARGET.schedule beside the spec, where `heed compile` looks for it.
std::filesystem::path defaultOut(const std::string &spec, const Target &target) {
  return std::filesystem::path(spec).replace_extension(target.name() + ".schedule");
}

void tune(const Options &options) {
  TuneRequest request;
  request.budget = parseDuration("--budget", options.budget);
  Specs specs({options.spec});
  request.spec = specs.kernels();
  request.kernel = &specs.kernel(options.kernel);
  request.target = targetFor(*request.kernel, options.target);
  request.given = readInputs(*request.kernel, {}, options.inputs);
  request.sizes = sizesOf(*request.kernel, options, request.given);
  request.threads = options.threads > 0 ? options.threads
                                        : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  request.seed = options.seed;
  request.resume = options.resume;
  request.out =
      options.out.empty() ? defaultOut(options.spec, request.target) : std::filesystem::path(options.out);
  tuneKernel(request);
}

} // namespace

void addTune(CLI::App &program) {
  auto options = std::make_shared<Options>();
  CLI::App *command = program.add_subcommand(
      "tune", "Search for faster schedules by measurement and write them into a schedule file");
  command->footer(
      "Each candidate is compiled, verified and timed beside the best so far. The file is a text to be "
      "committed;\n"
      "heed compile finds it beside the spec. Ctrl-C keeps the best so far. Several sizes share the budget:\n"
      "  heed tune block.cpp --size batch=1 --at queries=512,keys=512 --at queries=1,keys=4096");
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel, "The kernel; needed when there are several");
  command->add_option("-s,--size", options->sizes, "NAME=VALUE, for every symbolic extent")->take_all();
  command
      ->add_option("--at", options->at,
                   "NAME=VALUE,NAME=VALUE,…: sizes to tune at beside those of --size; again for more")
      ->take_all();
  command->add_option("--in", options->inputs, std::string(inputOptionHelp) + "; the others are drawn")
      ->take_all();
  command->add_option("--budget", options->budget, "Time for the search: 90s, 5m, 1h")->capture_default_str();
  command->add_option("-o,--out", options->out,
                      "Schedule file; default: STEM.TARGET.schedule beside the spec");
  command->add_flag("--resume", options->resume,
                    "Start from the file's schedules, and measure nothing that was measured before");
  command->add_option("--threads", options->threads, "Threads of the kernel; default: one per core")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--seed", options->seed, "Of the search and of the inputs that are verified")
      ->capture_default_str();
  addTargetFlag(*command, options->target);
  command->callback([options] { tune(*options); });
}

} // namespace heed::tools
