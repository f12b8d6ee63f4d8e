#include "Commands/Commands.h"
#include "Commands/TargetFlag.h"

#include "Arrays/Arguments.h"
#include "Arrays/GivenInputs.h"
#include "Arrays/RandomInputs.h"
#include "Compile.h"
#include "Kernels/DeviceCode.h"
#include "Kernels/FusedKernel.h"
#include "Kernels/LoadedKernel.h"
#include "Kernels/ProgramText.h"
#include "Kernels/RunTarget.h"
#include "Kernels/ScheduleText.h"
#include "Kernels/Sizes.h"
#include "Kernels/SpecModule.h"
#include "Kernels/TileCounts.h"
#include "Measure/PeakMemory.h"
#include "Support/ToolError.h"
#include "Transforms/MaskRanges.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace heed::tools {

namespace {

struct Options {
  std::string spec, kernel;
  std::vector<std::string> sizes, inputs;
  int threads = 0;
  KernelOptions compile;
};

/// The sizes, given and derived, and what the kernel is called with when all are known.
struct Call {
  SymbolValues values;
  bool complete = false;
  Inputs inputs;
};

Call callOf(const spec::graph &kernel, const std::vector<const spec::graph *> &kernels,
            const Options &options) {
  Call call{parseSizes(kernel, options.sizes, kernels), false, readInputs(kernel, kernels, options.inputs)};
  bindInputs(kernel, call.inputs, call.values);
  call.complete = std::count(call.values.begin(), call.values.end(), -1) == 0;
  if (call.complete) {
    requireComplete(kernel, call.values);
    call.inputs = completedForBench(kernel, call.values, std::move(call.inputs));
  }
  return call;
}

std::string tilesText(const spec::graph &kernel, ir::AttentionOp attention, const ScoreChain &chain,
                      const LaunchShape &launch, const Call &call) {
  std::optional<VisibleKeys> keys = VisibleKeys::of(kernel, chain, call.values, call.inputs);
  if (!keys)
    return "";
  KeyBounds bounds(attention, kernel, call.values, call.inputs);
  MaskRanges ranges = deriveMaskRanges(attention);
  TileCounts counts = countTiles(*keys, {bounds, ranges, launch.queryBlock, launch.listed});
  return fmt::format("    {}\n", tilesText(counts, launch.queryBlock));
}

/// Which keys an attention visits, and what becomes of its tiles.
std::string attentionText(const spec::graph &kernel, const FusedSoftmax &softmax, const LoadedKernel &loaded,
                          const Call &call) {
  MaskRanges ranges = deriveMaskRanges(softmax.attention);
  std::string text = fmt::format("    queries q0 to q1 visit keys {}", ranges.visible.str());
  // A mask tensor leaves no key that is visible for certain.
  if (ranges.full.lower != ranges.full.upper)
    text += fmt::format("; the mask is left out for keys {}", ranges.full.str());
  text += "\n";
  if (!softmax.projection.empty())
    text += fmt::format("    {}\n", softmax.projection);
  std::optional<LaunchShape> launch =
      call.complete ? launchShape(loaded.program(), softmax.name, kernel, call.values) : std::nullopt;
  return launch && softmax.chain ? text + tilesText(kernel, softmax.attention, *softmax.chain, *launch, call)
                                 : text;
}

/// What became of every softmax, and how projections run.
std::string attentionsText(const spec::graph &kernel, const LoadedKernel &loaded, const Call &call) {
  FusedKernel fused(kernel);
  std::string text;
  for (const FusedSoftmax &softmax : fused.softmaxes()) {
    text += fmt::format("  {}\n", softmax.text);
    if (softmax.attention)
      text += attentionText(kernel, softmax, loaded, call);
  }
  if (text.empty())
    text = "  no softmax\n";
  for (const std::string &sentence : fused.projections())
    text += fmt::format("  {}\n", sentence);
  return text;
}

/// The targets of the library, and the one that is spoken of.
std::string targetsText(const LoadedKernel &loaded) {
  std::string targets;
  for (const heed_program *at = &loaded.highest(); at; at = at->otherwise)
    targets += fmt::format("{}{}", targets.empty() ? "" : ", ", targetOf(*at).name());
  const Target target = targetOf(loaded.program());
  const bool dots = !target.isDevice() && target.level == HEED_CPU_X86_64_V4_BF16;
  if (!loaded.runs())
    return fmt::format("  compiled for {}, which this machine does not run\n", targets);
  return fmt::format("  compiled for {}; this machine runs {}{}\n", targets, target.name(),
                     dots ? ", with dot products of bf16" : "");
}

/// Peak of temporaries and scratch in a call.
std::string memoryText(const spec::graph &kernel, const LoadedKernel &loaded, const Call &call, int threads) {
  Arguments arguments;
  for (const auto &[node, tensor] : call.inputs)
    arguments.inputs.push_back(tensor);
  arguments.outputs = makeOutputs(kernel, call.values);
  PeakMemory memory;
  loaded.call(arguments.views(), threads, memory.allocator());
  return fmt::format("  memory beside inputs and outputs, {}, {} thread{}: {}\n",
                     sizesText(kernel, call.values), threads, threads == 1 ? "" : "s",
                     bytesText(static_cast<double>(memory.peak())));
}

CompileOptions optionsOf(const KernelOptions &options) {
  CompileOptions compile;
  compile.scheduleFile = options.scheduleFile;
  compile.sources = options.sources;
  compile.spec = options.spec;
  compile.target = options.target;
  return compile;
}

/// Those of the target that is spoken of.
ScheduleChoices schedulesOf(const spec::graph &kernel, const KernelOptions &options,
                            const LoadedKernel &loaded) {
  auto schedules = scheduleKernels(&kernel, optionsOf(options), targetOf(loaded.program()));
  if (!schedules)
    throw ToolError(llvm::toString(schedules.takeError()));
  return std::move(schedules->choices);
}

void explain(const Options &options) {
  Specs specs({options.spec});
  std::vector<const spec::graph *> kernels = specs.select(options.kernel);
  for (const spec::graph *kernel : kernels) {
    Call call = callOf(*kernel, kernels, options);
    KernelOptions compile = withSpecs(options.compile, specs);
    LoadedKernel loaded(*kernel, compile, LoadedKernel::Use::Look);
    fmt::print("{} ({})\n{}{}{}{}{}", kernel->name, location(*kernel, kernel->line), targetsText(loaded),
               attentionsText(*kernel, loaded, call), schedulesText(schedulesOf(*kernel, compile, loaded)),
               programText(loaded.program(), *kernel, call.values),
               deviceCodeText(*kernel, optionsOf(compile)));
    int threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    if (call.complete && loaded.runs() && !targetOf(loaded.program()).isDevice())
      fmt::print("{}", memoryText(*kernel, loaded, call, threads));
  }
}

} // namespace

void addExplain(CLI::App &program) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      program.add_subcommand("explain", "Say what became of each attention and what a call runs");
  command->footer("For each softmax: fused into an attention or why not, the keys it visits, and where "
                  "its queries are\n"
                  "projected. Then whether projections of one input run as one launch. Then the schedule of "
                  "each operation\n"
                  "and where it is from. Then the kernels that run in order, with the sizes that choose "
                  "between them and\n"
                  "their blocks, and the temporaries. With all sizes given also what becomes of each "
                  "attention's tiles for\n"
                  "these inputs (those that aren't given are drawn as by bench), and the memory that a call "
                  "takes.");
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel, "Only this kernel; default: all");
  command->add_option("-s,--size", options->sizes, "NAME=VALUE for a symbolic extent")->take_all();
  command->add_option("--in", options->inputs, std::string(inputOptionHelp) + "; the others are drawn")
      ->take_all();
  command
      ->add_option("--threads", options->threads,
                   "Threads of the call whose memory is counted; 0: one per core")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--schedule", options->compile.scheduleFile, "File with schedules");
  addTargetFlag(*command, options->compile.target);
  command->callback([options] { explain(*options); });
}

} // namespace heed::tools
