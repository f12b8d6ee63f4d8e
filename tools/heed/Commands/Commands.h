//===- Commands.h - The sub-commands ----------------------------*- C++ -*-===//
///
/// \file
/// Each function adds one sub-command with its options and its action to the command line; one file per
/// function.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_COMMANDS_H
#define HEED_TOOLS_COMMANDS_H

#include <CLI/CLI.hpp>

namespace heed::tools {

void addCompile(CLI::App &program);
void addShow(CLI::App &program);
void addExplain(CLI::App &program);
void addRun(CLI::App &program);
void addVerify(CLI::App &program);
void addBench(CLI::App &program);
void addTune(CLI::App &program);
void addPlot(CLI::App &program);

} // namespace heed::tools

#endif // HEED_TOOLS_COMMANDS_H
