//===- Heed.cpp - The heed program ----------------------------------------===//

#include "Commands/Commands.h"
#include "Support/ToolError.h"

#include <cstdio>
#include <fmt/format.h>

int main(int argc, char **argv) {
  CLI::App program(
      "heed compiles attention blocks, described in plain C++20, ahead of time into static libraries.\n"
      "A SPEC is a .cpp file that includes <heed/dsl.hpp> and exports kernels, or the shared object that\n"
      "it was built into.",
      "heed");
  program.require_subcommand(1);
  program.set_help_all_flag("--help-all", "Help of all sub-commands");
  program.footer("`heed COMMAND --help` explains a command. Environment: CXX is the compiler for specs,\n"
                 "HEED_INCLUDE the folder of heed/dsl.hpp, XDG_CACHE_HOME the cache of built specs.");
  heed::tools::addCompile(program);
  heed::tools::addShow(program);
  heed::tools::addExplain(program);
  heed::tools::addRun(program);
  heed::tools::addVerify(program);
  heed::tools::addBench(program);
  heed::tools::addTune(program);
  heed::tools::addPlot(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return program.exit(error) == 0 ? 0 : 2;
  } catch (const heed::tools::ToolError &error) {
    fmt::print(stderr, "heed: {}\n", error.what());
    return 1;
  }
  return 0;
}
