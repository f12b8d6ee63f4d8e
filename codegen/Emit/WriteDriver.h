//===- WriteDriver.h - Programs as C --------------------------*- C++ -*-===//
///
/// \file
/// Prints programs as the C file that becomes part of the library: constant tables that include nothing but
/// heed/abi.h, with the names of extents and arguments beside the numbers. It is what `--emit=driver` shows.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_WRITEDRIVER_H
#define HEED_CODEGEN_EMIT_WRITEDRIVER_H

#include "Program.h"

namespace heed {

/// One kernel for each of its CPU levels, highest first.
using ProgramsOfKernel = std::vector<program::Program>;

/// C11 text that defines `heed_program_NAME` for every kernel: that of its highest level, which leads to
/// those of the others.
std::string writeDriver(llvm::ArrayRef<ProgramsOfKernel> kernels);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_WRITEDRIVER_H
