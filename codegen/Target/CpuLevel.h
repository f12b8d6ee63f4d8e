//===- CpuLevel.h - What code needs of a CPU --------------------*- C++ -*-===//
///
/// \file
/// The levels of the runtime's abi.h (heed_cpu_level) by name, and those of this machine.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TARGET_CPULEVEL_H
#define HEED_CODEGEN_TARGET_CPULEVEL_H

#include "heed/abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace heed {

using CpuLevels = llvm::SmallVector<heed_cpu_level, 4>;

/// "x86-64-v3"; the same as the runtime's.
llvm::StringRef levelName(heed_cpu_level level);

/// The levels that this machine runs, highest first.
const CpuLevels &hostLevels();

/// The highest of them.
heed_cpu_level hostLevel();

/// Those of x86-64, highest first.
llvm::ArrayRef<heed_cpu_level> x86Levels();

/// The level of a name.
std::optional<heed_cpu_level> levelNamed(llvm::StringRef name);

} // namespace heed

#endif // HEED_CODEGEN_TARGET_CPULEVEL_H
