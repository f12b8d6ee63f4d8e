//===- GivenInputs.h - Arguments from the command line ----------*- C++ -*-===//
///
/// \file
/// "NAME=FILE.npy" and "NAME=NUMBER,NUMBER…" options as arrays of the kernel's types.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_GIVENINPUTS_H
#define HEED_TOOLS_GIVENINPUTS_H

#include "Kernels/VisibleKeys.h"

#include <string>
#include <vector>

namespace heed::tools {

/// Help text of the option.
extern const char *const inputOptionHelp;

/// What is wrong with options, a line each, and the arguments whose values could not be read.
struct InputErrors {
  std::string lines;
  std::set<int> nodes;
};

/// Reads the arguments that are given, by node. Numbers lie along the last axis, the others have
/// extent 1; a single one fits a scalar too. Adds
/// to `errors` a line for every unknown name (with the nearest) that no other of `kernels` has, doubled one,
/// unreadable file, and value that the type can't hold exactly.
Inputs readInputs(const spec::graph &kernel, const std::vector<const spec::graph *> &kernels,
                  const std::vector<std::string> &options, InputErrors &errors);

/// The same; throws ToolError.
Inputs readInputs(const spec::graph &kernel, const std::vector<const spec::graph *> &kernels,
                  const std::vector<std::string> &options);

/// Derives sizes that are -1 from the shapes of given arguments. Throws ToolError where a shape contradicts
/// sizes that are known.
void bindInputs(const spec::graph &kernel, const Inputs &inputs, reference::SymbolValues &values);

} // namespace heed::tools

#endif // HEED_TOOLS_GIVENINPUTS_H
