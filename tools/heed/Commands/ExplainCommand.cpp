#include "Commands/Commands.h"

#include "Arrays/Arguments.h"
#include "Compile.h"
#include "Dialect/Heed.h"
#include "Kernels/LoadedKernel.h"
#include "Kernels/ProgramText.h"
#include "Kernels/Sizes.h"
#include "Kernels/SpecModule.h"
#include "Measure/PeakMemory.h"
#include "Support/ToolError.h"
#include "Transforms/Explain.h"
#include "Transforms/MaskRanges.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace heed::tools {

namespace {

struct Options {
  std::string spec, kernel;
  std::vector<std::string> sizes;
  int threads = 0;
  KernelOptions compile;
};

/// What became of every softmax, and which keys each attention visits.
std::string attentionsText(const spec::graph &kernel) {
  mlir::MLIRContext context;
  const spec::graph *kernels[] = {&kernel};
  auto module = fuseKernels(context, kernels);
  if (!module)
    throw ToolError(llvm::toString(module.takeError()));
  std::string text;
  for (auto operation : (*module)->getOps<ir::KernelOp>())
    for (const SoftmaxReport &report : explainSoftmaxes(operation)) {
      text += fmt::format("  {}\n", report.text);
      auto attention = llvm::dyn_cast_or_null<ir::AttentionOp>(report.operation);
      if (!attention)
        continue;
      MaskRanges ranges = deriveMaskRanges(attention);
      text += fmt::format("    queries q0 to q1 visit keys {}", ranges.visible.str());
      // A mask tensor leaves no key that is visible for certain.
      if (ranges.full.lower != ranges.full.upper)
        text += fmt::format("; the mask is left out for keys {}", ranges.full.str());
      text += "\n";
    }
  return text.empty() ? "  no softmax\n" : text;
}

/// Peak of temporaries and scratch in a call of zeros.
std::string memoryText(const spec::graph &kernel, const LoadedKernel &loaded, const SymbolValues &values,
                       int threads) {
  Arguments arguments;
  for (int index : reference::argumentNodes(kernel))
    arguments.inputs.push_back(HostTensor::zeros(kernel.nodes[index].type,
                                                 *reference::shapeOf(kernel, kernel.nodes[index], values)));
  arguments.outputs = makeOutputs(kernel, values);
  PeakMemory memory;
  loaded.call(arguments.views(), threads, memory.allocator());
  return fmt::format("  memory beside inputs and outputs, {}, {} thread{}: {}\n", sizesText(kernel, values),
                     threads, threads == 1 ? "" : "s", bytesText(static_cast<double>(memory.peak())));
}

void explain(const Options &options) {
  Specs specs({options.spec});
  std::vector<const spec::graph *> kernels = specs.select(options.kernel);
  for (const spec::graph *kernel : kernels) {
    SymbolValues values = parseSizes(*kernel, options.sizes, kernels);
    bool complete = std::count(values.begin(), values.end(), -1) == 0;
    if (complete)
      requireComplete(*kernel, values);
    fmt::print("{} ({})\n{}", kernel->name, location(*kernel, kernel->line), attentionsText(*kernel));
    LoadedKernel loaded(*kernel, withSpecs(options.compile, specs));
    fmt::print("{}", programText(loaded.program(), *kernel, values));
    int threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    if (complete)
      fmt::print("{}", memoryText(*kernel, loaded, values, threads));
  }
}

} // namespace

void addExplain(CLI::App &program) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      program.add_subcommand("explain", "Say what became of each attention and what a call runs");
  command->footer("For each softmax: fused into an attention or why not, and the keys it visits. Then the "
                  "kernels that run\n"
                  "in order, with the sizes that choose between them and their blocks, and the temporaries. "
                  "With all sizes\n"
                  "given also the memory that a call takes.");
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel, "Only this kernel; default: all");
  command->add_option("-s,--size", options->sizes, "NAME=VALUE for a symbolic extent")->take_all();
  command
      ->add_option("--threads", options->threads,
                   "Threads of the call whose memory is counted; 0: one per core")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--schedule", options->compile.scheduleFile, "File with schedules");
  command->add_option("--target", options->compile.target, "\"host\", or a CPU such as x86-64-linux-avx2-fma")
      ->capture_default_str();
  command->callback([options] { explain(*options); });
}

} // namespace heed::tools
