//===- Barriers.h - Which barriers of a kernel order anything ---*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_BARRIERS_H
#define HEED_CODEGEN_KERNELS_DEVICE_BARRIERS_H

#include <Halide.h>

namespace heed::kernels {

/// A kernel, a loop over blocks, without the barriers between statements of which neither writes shared
/// memory that the other accesses. Barriers at the end of a loop's body stay.
Halide::Internal::Stmt dropBarriers(const Halide::Internal::Stmt &kernel);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_BARRIERS_H
