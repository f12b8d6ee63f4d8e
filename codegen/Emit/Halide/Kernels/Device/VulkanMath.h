//===- VulkanMath.h - Functions of reals for Vulkan -------------*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_VULKANMATH_H
#define HEED_CODEGEN_KERNELS_DEVICE_VULKANMATH_H

#include <Halide.h>

namespace heed::kernels {

/// e^x of f32. Halide's SPIR-V does not tell strict operations apart, and drivers take a number that was
/// added and subtracted for none: so it rounds by an instruction, where `exponential` does by such a number.
Halide::Expr exponentialOnVulkan(const Halide::Expr &x);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_VULKANMATH_H
