#include "Commands/Commands.h"
#include "Commands/TargetFlag.h"

#include "Kernels/GraphText.h"
#include "Kernels/SpecModule.h"
#include "Kernels/StageNames.h"

#include <fmt/format.h>

namespace heed::tools {

namespace {

struct Options {
  std::string spec, kernel, form = "graph";
  bool dot = false;
  CompileOptions compile;
};

void show(const Options &options) {
  Specs specs({options.spec});
  for (const spec::graph *kernel : specs.select(options.kernel))
    fmt::print("{}", options.dot ? graphDot(*kernel)
                                 : stageText(*kernel, options.form, withSpecs(options.compile, specs)));
}

} // namespace

void addShow(CLI::App &program) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      program.add_subcommand("show", "Print kernels in a form, from the graph to the machine code");
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel, "Only this kernel");
  command
      ->add_option(
          "--form", options->form,
          "graph: as the spec says it; heed: in the compiler's dialect; fused: after the passes; schedule: "
          "how "
          "each operation is cut into tiles; driver: the C file that runs the tiles; stmt: the tiles' loops; "
          "asm: their machine code")
      ->check(CLI::IsMember(stageNames()))
      ->capture_default_str();
  command->add_option("--schedule", options->compile.scheduleFile, "File with schedules");
  addTargetFlag(*command, options->compile.target);
  command->add_flag("--dot", options->dot, "Print the graph for Graphviz: heed show SPEC --dot | dot -Tsvg");
  command->callback([options] { show(*options); });
}

} // namespace heed::tools
