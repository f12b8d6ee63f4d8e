//===- CpuLevel.h - What code is compiled for -------------------*- C++ -*-===//
///
/// \file
/// Targets by name. A library holds its kernels once per CPU level (heed_cpu_level of the runtime's abi.h),
/// and a call runs the highest that the CPU has.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TARGET_CPULEVEL_H
#define HEED_CODEGEN_TARGET_CPULEVEL_H

#include "heed/abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace heed {

using CpuLevels = llvm::SmallVector<heed_cpu_level, 4>;

/// "x86-64-v3"; the same as the runtime's.
llvm::StringRef levelName(heed_cpu_level level);

/// The levels that this machine runs, highest first.
const CpuLevels &hostLevels();

/// The highest of them.
heed_cpu_level hostLevel();

/// The levels that a target names for a kernel, highest first: "host" (the best of this machine), "x86-64"
/// (every level of that architecture), or names of levels of one architecture with commas between them. The
/// first two leave out x86-64-v4-bf16 unless the kernel has dot products of bf16: its code would be that of
/// x86-64-v4.
llvm::Expected<CpuLevels> parseTarget(llvm::StringRef target, bool dotsBf16);

/// What targets can be written.
inline constexpr llvm::StringLiteral targetHelp =
    "CPU levels to compile for: host (the best of this machine), x86-64 (every level; a call runs the best "
    "that its CPU has), or names with commas between them: x86-64-v2, x86-64-v3, x86-64-v4, x86-64-v4-bf16, "
    "aarch64";

} // namespace heed

#endif // HEED_CODEGEN_TARGET_CPULEVEL_H
