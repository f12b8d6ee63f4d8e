//===- WeightFlags.h - Options that name files of weights -------*- C++ -*-===//
///
/// \file
/// --weights, --map and --prefix, the same for every command that calls kernels.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_WEIGHTFLAGS_H
#define HEED_TOOLS_WEIGHTFLAGS_H

#include "Arrays/GivenWeights.h"

#include <CLI/CLI.hpp>

namespace heed::tools {

void addWeightFlags(CLI::App &command, WeightFiles &files);

} // namespace heed::tools

#endif // HEED_TOOLS_WEIGHTFLAGS_H
