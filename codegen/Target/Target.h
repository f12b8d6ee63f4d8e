//===- Target.h - What code is compiled for ---------------------*- C++ -*-===//
///
/// \file
/// Targets by name. A library holds its kernels once per target: for CPU levels (heed_cpu_level of the
/// runtime's abi.h), of which a call runs the highest that the CPU has, and for interfaces to devices, whose
/// functions are loaded and started by code for a CPU level.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TARGET_TARGET_H
#define HEED_CODEGEN_TARGET_TARGET_H

#include "CpuLevel.h"
#include "llvm/Support/Error.h"

#include <string>

namespace heed {

struct Target {
  heed_cpu_level level = HEED_CPU_ANY; ///< of all code that the CPU runs
  heed_device_api device = HEED_DEVICE_NONE;

  bool isDevice() const { return device != HEED_DEVICE_NONE; }
  /// "x86-64-v3", "opencl": what schedules hold for, whatever CPU drives a device.
  std::string name() const;
  /// As parseTarget reads it: "x86-64-v3-opencl".
  std::string written() const;
  bool operator==(const Target &) const = default;
};

using Targets = llvm::SmallVector<Target, 4>;

/// The targets that a text names for a kernel: names with commas between them, each "host" (the best level of
/// this machine), "x86-64" (every level of that architecture), a level, or [HOST-]INTERFACE, where HOST is
/// one of the former ("x86-64" is then the lowest) or left out for "host". Devices come first, as written,
/// then levels, highest first. x86-64-v4-bf16 is left out of "host" and "x86-64" unless the kernel has dot
/// products of bf16: its code would be that of x86-64-v4.
llvm::Expected<Targets> parseTarget(llvm::StringRef text, bool dotsBf16);

/// Several lists as one, in the order of parseTarget.
Targets merged(llvm::ArrayRef<Targets> lists);

/// "opencl"
llvm::StringRef deviceName(heed_device_api device);

/// What can be written.
inline constexpr llvm::StringLiteral targetHelp =
    "What to compile for, with commas between several: CPU levels: host (the best of this machine), x86-64 "
    "(every level; a call runs the best that its CPU has), x86-64-v2, x86-64-v3, x86-64-v4, x86-64-v4-bf16, "
    "aarch64; or devices: opencl, cuda, vulkan, metal, with the CPU that drives them in front, as in "
    "x86-64-cuda (default: host-)";

} // namespace heed

#endif // HEED_CODEGEN_TARGET_TARGET_H
