//===- PlotCommands.h - The sub-commands of heed plot -----------*- C++ -*-===//
///
/// \file
/// One function for each of `heed plot`'s own sub-commands that has a file of its own.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PLOTCOMMANDS_H
#define HEED_TOOLS_PLOTCOMMANDS_H

#include "Support/ToolError.h"
#include "heed/plot/error.hpp"

#include <CLI/CLI.hpp>

namespace heed::tools {

void addPlotHeat(CLI::App &plot);

/// Runs the action; what the plot library objects to becomes a ToolError.
template <typename F> void orToolError(F action) {
  try {
    action();
  } catch (const plot::error &error) {
    throw ToolError(error.what());
  }
}

} // namespace heed::tools

#endif // HEED_TOOLS_PLOTCOMMANDS_H
