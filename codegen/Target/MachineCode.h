//===- MachineCode.h - From LLVM IR to machine code -------------*- C++ -*-===//
///
/// \file
/// Code for a set of CPU features that Halide can't name. It makes LLVM IR for the CPU nearest to the set;
/// here the features that not every CPU of the level has are taken away before instructions are selected.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TARGET_MACHINECODE_H
#define HEED_CODEGEN_TARGET_MACHINECODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace heed {

struct MachineCodeOptions {
  llvm::ArrayRef<llvm::StringRef> without; ///< features of LLVM's: "sse4a"
  bool fusesProducts = true;               ///< a product and a sum may be one rounding
  bool isAssembly = false;                 ///< text instead of an ELF object
};

/// The code of a module of optimized LLVM IR, as text or bitcode. Functions keep the CPU that they are
/// written for, which says what is fast.
llvm::Expected<std::string> machineCode(const std::string &module, const MachineCodeOptions &options);

} // namespace heed

#endif // HEED_CODEGEN_TARGET_MACHINECODE_H
