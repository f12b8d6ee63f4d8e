// Random kernels against the evaluator: `heed_random_tests --first 0 --count 100`, or one with `--seed 17
// --print`.
#include "Check.h"
#include "Schedules.h"

#include "Compile.h"

#include <CLI/CLI.hpp>
#include <cstdio>

using namespace heed;
using namespace heed::tests;

namespace {

/// What the outcomes of all kernels together say about the test.
struct Summary {
  int kernels = 0, wrong = 0, fused = 0, withEmptyRows = 0, withPoison = 0;
  int64_t elements = 0, compared = 0;

  void add(const RandomKernel &made, const Outcome &outcome) {
    ++kernels;
    withEmptyRows += outcome.emptyRow;
    withPoison += outcome.poisoned;
    elements += outcome.elements;
    compared += outcome.compared;
    if (outcome.wrong.empty())
      return;
    ++wrong;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(made.seed), outcome.wrong.c_str());
    std::fflush(stdout);
  }

  void print() const {
    std::printf(
        "%d kernels, %d wrong; %d fused attentions, %d kernels with empty rows, %d with NaN, infinity "
        "or 1e30 in hidden keys; %lld of %lld elements have a useful bound\n",
        kernels, wrong, fused, withEmptyRows, withPoison, static_cast<long long>(compared),
        static_cast<long long>(elements));
  }

  /// Whether many kernels were as hard as they are meant to be.
  bool isMeaningful() const {
    return kernels < 32 || (10 * fused > 9 * kernels && 10 * withEmptyRows > kernels &&
                            10 * withPoison > kernels && 10 * compared > 8 * elements);
  }
};

using Kernels = std::vector<RandomKernel>;

std::vector<const spec::graph *> graphsOf(std::span<const RandomKernel> kernels) {
  std::vector<const spec::graph *> graphs;
  for (const RandomKernel &made : kernels)
    graphs.push_back(made.kernel->data());
  return graphs;
}

/// Compiles and checks kernels together; if they don't compile, one by one, to tell which.
void check(std::span<const RandomKernel> kernels, const std::string &target, Summary &summary) {
  CompiledLibrary library(graphsOf(kernels), drawSchedules, target);
  if (!library.error().empty() && kernels.size() > 1) {
    for (const RandomKernel &made : kernels)
      check({&made, 1}, target, summary);
    return;
  }
  for (const std::string &operation : library.operations())
    summary.fused += operation.ends_with(".attention");
  for (const RandomKernel &made : kernels) {
    Outcome outcome;
    outcome.wrong = library.error();
    summary.add(made, outcome.wrong.empty() ? checkKernel(made, library) : outcome);
  }
}

void printStages(const RandomKernel &made) {
  for (Stage stage : {Stage::Heed, Stage::Fused})
    if (auto text = printStage(*made.kernel->data(), stage, {}))
      std::printf("%s\n", text->c_str());
    else
      std::printf("%s\n", llvm::toString(text.takeError()).c_str());
}

} // namespace

int main(int argc, char **argv) {
  uint64_t first = 0;
  int count = 1, together = 20;
  bool print = false;
  std::string target = "host";
  CLI::App app{"Random kernels against the evaluator"};
  app.add_option("--first,--seed", first, "the first seed");
  app.add_option("--count", count, "number of seeds");
  app.add_option("--together", together, "kernels of one library");
  app.add_option("--target", target, "the CPU level");
  app.add_flag("--print", print, "print the kernels, as written and fused");
  CLI11_PARSE(app, argc, argv);

  Summary summary;
  for (int done = 0; done < count; done += together) {
    Kernels kernels;
    for (int i = done; i < std::min(count, done + together); ++i) {
      kernels.push_back(makeKernel(first + i));
      if (std::string fault = kernels.back().kernel->error(); !fault.empty()) {
        summary.add(kernels.back(), {.wrong = fault});
        kernels.pop_back();
      } else if (print) {
        printStages(kernels.back());
      }
    }
    if (!kernels.empty())
      check(kernels, target, summary);
  }
  summary.print();
  if (!summary.isMeaningful())
    std::printf("the kernels say too little: too few are fused, hide rows or keys, or have useful bounds\n");
  return summary.wrong != 0 || !summary.isMeaningful();
}
