#include "Commands/Commands.h"
#include "Commands/TargetFlag.h"

#include "Arrays/GivenInputs.h"
#include "Arrays/RandomInputs.h"
#include "Kernels/LoadedKernel.h"
#include "Kernels/RunTarget.h"
#include "Kernels/Sizes.h"
#include "Kernels/SpecModule.h"
#include "Measure/Against.h"
#include "Measure/BenchArguments.h"
#include "Measure/Limits.h"
#include "Measure/Measure.h"
#include "Measure/TimedCalls.h"
#include "Support/Progress.h"
#include "Support/ToolError.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

namespace heed::tools {

namespace {

struct Options {
  std::string spec, kernel, json, against;
  std::vector<std::string> sizes, inputs;
  int threads = 0;
  int repeats = 25;
  KernelOptions compile;
};

/// The element type that the kernel computes in: that of its first float argument.
std::string computeType(const spec::graph &kernel) {
  for (int index : reference::argumentNodes(kernel))
    if (isFloat(kernel.nodes[index].type))
      return typeName(kernel.nodes[index].type);
  return "f32";
}

nlohmann::ordered_json recordOf(const spec::graph &kernel, const Options &options, const SymbolValues &values,
                                int threads, const Target &target, double visible,
                                const Measurement &result) {
  nlohmann::ordered_json sizes = nlohmann::ordered_json::object();
  for (int i = 0; i < kernel.symbol_count; ++i)
    sizes[kernel.symbols[i]] = values[i];
  bool memoryBound = result.limit == "read_bandwidth";
  return {{"kernel", kernel.name},
          {"target", target.name()},
          {"sizes", sizes},
          {"threads", threads},
          {"dtype", computeType(kernel)},
          {"visible", visible},
          {"seconds_median", result.secondsMedian},
          {"seconds_min", result.secondsMinimum},
          {"spread", result.spread},
          {memoryBound ? "gbytes_per_s" : "gflops", result.rate / 1e9},
          {"limit", result.limit},
          {"limit_value", result.limitRate / 1e9},
          {"share", result.share()}};
}

std::string timeText(double seconds) {
  return seconds < 1e-3  ? fmt::format("{:.3g} µs", seconds * 1e6)
         : seconds < 1.0 ? fmt::format("{:.4g} ms", seconds * 1e3)
                         : fmt::format("{:.4g} s", seconds);
}

void printRow(const spec::graph &kernel, double visible, const Measurement &result) {
  const char *unit = result.limit == "read_bandwidth" ? "GB/s" : "GFLOP/s";
  fmt::print("{:<28} {:>7.2f} % {:>10} {:>7} {:>10.2f} {:<8} {:>10.2f} {:<15} {:>6.1f} %\n", kernel.name,
             100 * visible, timeText(result.secondsMedian), fmt::format("±{:.1f} %", 100 * result.spread),
             result.rate / 1e9, unit, result.limitRate / 1e9, result.limit, 100 * result.share());
  if (result.limit == notProbed)
    fmt::print("{:<28} what this device can do at most is not probed: compare the rate with its data sheet\n",
               "");
}

/// The kernel with its schedules beside the same with others.
nlohmann::ordered_json compareSchedules(const spec::graph &kernel, const LoadedKernel &loaded,
                                        const TimedCalls &calls, const Options &options, const Specs &specs) {
  LoadedKernel other = loadAgainst(kernel, withSpecs(options.compile, specs), options.against);
  AgainstResult result = timeAgainst(calls.of(loaded), calls.of(other), options.repeats);
  fmt::print("{:<28} {:.3f} x as fast as with {}: quartiles {:.3f} and {:.3f} of {} pairs\n", "",
             result.median, options.against, result.lowerQuartile, result.upperQuartile, options.repeats);
  return {{"schedule", options.against},
          {"gain_median", result.median},
          {"gain_lower_quartile", result.lowerQuartile},
          {"gain_upper_quartile", result.upperQuartile},
          {"pairs", options.repeats}};
}

/// A kernel with its sizes and the arguments that are given.
struct Task {
  const spec::graph *kernel;
  SymbolValues values;
  Inputs given;
};

std::vector<Task> tasksOf(const Specs &specs, const Options &options) {
  std::vector<Task> tasks;
  std::vector<const spec::graph *> kernels = specs.select(options.kernel);
  for (const spec::graph *kernel : kernels) {
    Task task{kernel, parseSizes(*kernel, options.sizes, kernels),
              readInputs(*kernel, kernels, options.inputs)};
    bindInputs(*kernel, task.given, task.values);
    requireComplete(*kernel, task.values);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

nlohmann::ordered_json benchKernel(const Task &task, const Options &options, const Specs &specs,
                                   int threads) {
  const spec::graph &kernel = *task.kernel;
  LoadedKernel loaded(kernel, withSpecs(options.compile, specs));
  Progress progress(fmt::format("measuring {}", kernel.name));
  Inputs inputs = completedForBench(kernel, task.values, task.given);
  Work work = countWork(kernel, task.values, &inputs);
  BenchArguments arguments(kernel, task.values, inputs);
  const Target target = targetOf(loaded.program());
  TimedCalls calls(target, arguments, threads);
  Measurement result = measure(calls.of(loaded), work, threads, options.repeats, target.level, calls.limit());
  printRow(kernel, work.visible, result);
  nlohmann::ordered_json record =
      recordOf(kernel, options, task.values, threads, target, work.visible, result);
  if (!options.against.empty())
    record["against"] = compareSchedules(kernel, loaded, calls, options, specs);
  return record;
}

void bench(const Options &options) {
  Specs specs({options.spec});
  int threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<Task> tasks = tasksOf(specs, options);
  Target target; // the highest that some kernel runs at
  for (const Task &task : tasks)
    if (const Target other = runTarget(*task.kernel, options.compile.target); other.level >= target.level)
      target = other;
  ProbeLoops loops = probeLoops(target.level);
  fmt::print("{} thread{}, {}, {} ({} lanes)\n{:<28} {:>9} {:>10} {:>7} {:>19} {:>10} {:<15} {:>8}\n",
             threads, threads == 1 ? "" : "s", target.name(), loops.level, loops.lanes, "kernel", "visible",
             "median", "spread", "rate        ", "limit", "", "share");
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  for (const Task &task : tasks)
    records.push_back(benchKernel(task, options, specs, threads));
  if (options.json.empty())
    return;
  std::ofstream file(options.json);
  file << records.dump(2) << '\n';
  if (!file.flush())
    throw ToolError(fmt::format("{}: can't be written", options.json));
}

} // namespace

void addBench(CLI::App &program) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      program.add_subcommand("bench", "Time kernels beside the machine's limits, measured in the same run");
  command->footer(
      "Rates count the arithmetic of matrix products, of attention only the (query, key) pairs "
      "that masks let\n"
      "through for these inputs; or, when a kernel does too little of it per byte, the bytes of "
      "its inputs and\n"
      "outputs. visible is the part of pairs that are. Inputs that aren't given are random; "
      "conditions are true,\n"
      "lengths full and identifiers equal. share is the rate over\n"
      "the limit. On a device, arguments are in its memory, and a call is timed until the device is done;\n"
      "its limits are those of the CPU if it is one, else they are not probed. JSON records hold rates and "
      "limits in GFLOP/s or GB/s.");
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel, "Only this kernel; default: all");
  command->add_option("-s,--size", options->sizes, "NAME=VALUE, for every symbolic extent")->take_all();
  command->add_option("--in", options->inputs, std::string(inputOptionHelp) + "; the others are drawn")
      ->take_all();
  command
      ->add_option("--threads", options->threads,
                   "Threads of the kernel and of the probes; default: one per core")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--repeats", options->repeats, "Samples of the kernel, each with a probe beside it")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--json", options->json, "Write records to this file");
  command->add_option("--schedule", options->compile.scheduleFile, "File with schedules");
  command->add_option(
      "--against", options->against,
      "File with other schedules, or \"default\": time both in pairs and print how many times as "
      "fast the first is");
  addTargetFlag(*command, options->compile.target);
  command->callback([options] { bench(*options); });
}

} // namespace heed::tools
