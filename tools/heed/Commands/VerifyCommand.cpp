#include "Commands/Commands.h"
#include "Commands/TargetFlag.h"
#include "Commands/WeightFlags.h"

#include "Arrays/GivenInputs.h"
#include "Kernels/LoadedKernel.h"
#include "Kernels/Sizes.h"
#include "Kernels/SpecModule.h"
#include "Support/Progress.h"
#include "Support/ToolError.h"
#include "Verify/VerifyCase.h"

#include <algorithm>
#include <fmt/format.h>

namespace heed::tools {

namespace {

struct Options {
  std::string spec, kernel;
  std::vector<std::string> sizes, inputs;
  WeightFiles weights;
  int random = -1;
  std::uint64_t seed = 1;
  int threads = 0;
  bool poisoned = false;
  KernelOptions compile;
};

/// Evaluations beyond this many operations are not drawn by themselves; a fraction of a second.
constexpr double largestCase = 1.5e8;

void verifyKernel(const spec::graph &kernel, const std::vector<const spec::graph *> &kernels,
                  const Options &options) {
  SymbolValues given = parseSizes(kernel, options.sizes, kernels);
  Inputs inputs = readInputs(kernel, kernels, options.inputs, options.weights);
  bindInputs(kernel, inputs, given);
  bool complete = std::count(given.begin(), given.end(), -1) == 0;
  if (complete)
    requireComplete(kernel, given);
  int cases = options.random >= 0 ? options.random + complete : complete ? 1 : 20;
  LoadedKernel loaded(kernel, options.compile);
  Progress progress(fmt::format("verifying {}", kernel.name));
  VerifyOutcome total;
  for (int i = 0; i < cases; ++i) {
    // Every case has a generator of its own, so that a failing one can be repeated alone.
    std::mt19937_64 random(options.seed + static_cast<std::uint64_t>(i));
    SymbolValues values = complete ? given : drawSizes(kernel, given, largestCase, random);
    std::string sizes = sizesText(kernel, values);
    progress.update(fmt::format("verifying {}, case {} of {}: {}", kernel.name, i + 1, cases, sizes));
    VerifyOutcome outcome = verifyCase(
        kernel, [&](std::span<const heed_view> arguments) { loaded.call(arguments, options.threads); },
        values, random, inputs, options.poisoned);
    total.difference = std::max(total.difference, outcome.difference);
    total.share = std::max(total.share, outcome.share);
    if (!outcome.wrong.empty())
      throw ToolError(fmt::format(
          "{} ({}) differs from the reference\n  sizes {}\n  {}\n  repeat it with --seed {}{}", kernel.name,
          location(kernel, kernel.line), sizes.empty() ? "none" : sizes, outcome.wrong, options.seed + i,
          fmt::format("{}{}", complete ? "" : " --random 1", options.poisoned ? " --poison" : "")));
  }
  fmt::print("{}: {} case{} agree with the reference; largest difference {:.3g}, {:.0f} % of its bound\n",
             kernel.name, cases, cases == 1 ? "" : "s", total.difference, 100 * total.share);
}

void verify(Options options) {
  Specs specs({options.spec});
  options.compile = withSpecs(options.compile, specs);
  std::string failures;
  std::vector<const spec::graph *> kernels = specs.select(options.kernel);
  for (const spec::graph *kernel : kernels) {
    try {
      verifyKernel(*kernel, kernels, options);
    } catch (const ToolError &error) {
      failures += failures.empty() ? error.what() : std::string("\nheed: ") + error.what();
    }
  }
  if (!failures.empty())
    throw ToolError(failures);
}

} // namespace

void addVerify(CLI::App &program) {
  auto options = std::make_shared<Options>();
  CLI::App *command = program.add_subcommand(
      "verify", "Compare compiled kernels with a naive evaluation in double precision");
  command->footer(
      "Inputs are random: masks hide single keys and whole rows, lengths and positions lie around the "
      "extents\n"
      "that programs compare them with, table indices around the table, identifiers in -1 to 2. Layouts are\n"
      "strided, and memory around every buffer is checked. An element may differ by the error that "
      "arithmetic in the kernel's element type\n"
      "can have for these inputs. Exit status 1 when something differs, with the first wrong element.");
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel, "Only this kernel; default: all");
  command
      ->add_option("-s,--size", options->sizes,
                   "NAME=VALUE: fixes a symbolic extent; the others are drawn anew "
                   "for every case: 0, 1, primes, powers of two and neighbours")
      ->take_all();
  command->add_option("--in", options->inputs, std::string(inputOptionHelp) + "; the others are drawn")
      ->take_all();
  addWeightFlags(*command, options->weights);
  command
      ->add_option("--random", options->random,
                   "Number of cases to draw; default 20, or none when all sizes are given")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--seed", options->seed, "Seed of the first case; the next ones count up")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Threads of the call; 0: one per core")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--poison", options->poisoned,
                    "Put NaN and 1e30 into some keys and values: hidden ones must not matter");
  command->add_option("--schedule", options->compile.scheduleFile, "File with schedules");
  addTargetFlag(*command, options->compile.target);
  command->callback([options] { verify(*options); });
}

} // namespace heed::tools
