//===- TargetFlag.h - The option that names CPU levels ----------*- C++ -*-===//
///
/// \file
/// --target, the same for every command that compiles kernels.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_TARGETFLAG_H
#define HEED_TOOLS_TARGETFLAG_H

#include <CLI/CLI.hpp>

#include <string>

namespace heed::tools {

void addTargetFlag(CLI::App &command, std::string &target);

} // namespace heed::tools

#endif // HEED_TOOLS_TARGETFLAG_H
