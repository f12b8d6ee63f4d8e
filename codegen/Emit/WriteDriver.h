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

/// The same kernels, in the same order, for each CPU level of a library.
using ProgramsOfLevel = llvm::ArrayRef<program::Program>;

/// C11 text that defines `heed_program_NAME` for every kernel: that of the first, the highest level, which
/// leads to those of the others.
std::string writeDriver(llvm::ArrayRef<ProgramsOfLevel> levels);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_WRITEDRIVER_H
