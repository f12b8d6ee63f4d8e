//===- TileFunction.h - From a Halide pipeline to machine code --*- C++ -*-===//
//
// A tile function is one fused operation on one tile: serial, `int f(void **args)`, without a runtime of its
// own. Its only undefined symbols are heed_scratch_allocate, heed_scratch_release and functions of libc and
// libm. args[0] points to the context handle, then come pointers to the int32 scalars, then the buffers,
// outputs last.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_TILEFUNCTION_H
#define HEED_CODEGEN_KERNELS_TILEFUNCTION_H

#include "FuseFolds.h"
#include "Opaque.h"
#include "ShareMemory.h"
#include "SpreadPrefetch.h"
#include "heed/abi.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace heed::kernels {

/// A CPU level that code is made for.
struct CpuTarget {
  heed_cpu_level level = HEED_CPU_ANY;
  Halide::Target target; ///< without the features that every tile function has
  int lanes = 0;         ///< 32-bit elements of one vector register
  int registers = 0;     ///< vector registers
  bool dotsBf16 = false; ///< adds products of pairs of bf16 to f32 in one instruction: vdpbf16ps
};

CpuTarget cpuTarget(heed_cpu_level level);

/// The machine this runs on.
CpuTarget hostTarget();

/// A tile function before machine code is made of it. Cheap to build; compiling it is not.
struct TileFunction {
  std::string name;
  Halide::Pipeline pipeline;
  std::vector<Halide::Argument> arguments; ///< in the order of args[1…]; without the outputs, which follow
  OpaqueScalars scalars;                   ///< that the pipeline's expressions use
  /// Every operation as IEEE says: for code of users, which may hold infinities and NaN anywhere.
  bool strictFloat = false;
  /// Values are prefetched where keys are.
  bool prefetchesValues = false;
  std::vector<RowPasses> rowPasses; ///< that fetch rows ahead
  std::vector<FusedFold> folds;
  std::vector<SharedMemory> shared; ///< once folds are fused
};

enum class Form { Object, Assembly, Stmt };

/// The tile function as an ELF object, as assembly text, or as Halide's lowered statement. May be called from
/// several threads at once for different functions. Throws Halide::CompileError on a fault of the builder.
std::string compile(const TileFunction &function, const CpuTarget &target, Form form);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_TILEFUNCTION_H
