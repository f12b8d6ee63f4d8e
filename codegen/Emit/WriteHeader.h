//===- WriteHeader.h - What a library's caller includes ---------*- C++ -*-===//
///
/// \file
/// NAME.h, the C++ face (`heed_kernels::KERNEL(views…)`), and NAME_c.h, the same in C.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_WRITEHEADER_H
#define HEED_CODEGEN_EMIT_WRITEHEADER_H

#include "Program.h"

namespace heed {

std::string writeHeader(llvm::StringRef library, llvm::ArrayRef<program::Program> programs);
std::string writeCHeader(llvm::StringRef library, llvm::ArrayRef<program::Program> programs);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_WRITEHEADER_H
