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

/// C11 text that defines `heed_program_NAME` for every program.
std::string writeDriver(llvm::ArrayRef<program::Program> programs);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_WRITEDRIVER_H
