//===- DeviceMath.h - Functions of reals on devices -------------*- C++ -*-===//
//
// What kernels mean by a function or a strict operation, in what each device interface has. This pass runs
// after Halide's own and after LowerHalfCasts.
//
// Halide gives CUDA's code to LLVM with every freedom: no NaN, no infinity, sums in any order, approximate
// quotients; strict operations are not told apart. So there
//
//   - strict sums, products and quotients become instructions that LLVM does not look into;
//   - strict minima and maxima become the device's, which prefer numbers to NaN;
//   - strict comparisons and tests for NaN are made on the bits, and so are choices between floats.
//
// Other interfaces get source or SPIR-V, where nothing is assumed.
//
// exp and tanh of f32 are those of VectorMath.h on every device, square roots are correctly rounded on CUDA,
// the others are the device's: see its specification for their errors (OpenCL C: 4 ulp and less).
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEMATH_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEMATH_H

#include <Halide.h>

namespace heed::kernels {

/// 2^x, for weights: 0 at -infinity, NaN at NaN, 1 at 0. f32: at most 4 ulp where the result is no subnormal,
/// which may be 0; one instruction on CUDA. f64: as exp2NonPositive.
Halide::Expr exp2OnDevice(const Halide::Expr &x);

class LowerDeviceMath : public Halide::Internal::IRMutator {
public:
  explicit LowerDeviceMath(Halide::DeviceAPI api) : api(api) {}

  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Expr visit(const Halide::Internal::Call *op) override;
  Halide::Expr visit(const Halide::Internal::Select *op) override;
  Halide::Expr visit(const Halide::Internal::FloatImm *op) override;

  Halide::Expr strict(const Halide::Internal::Call *op);
  Halide::Expr function(const Halide::Internal::Call *op);
  Halide::Expr test(const Halide::Internal::Call *op);

  bool isCuda() const { return api == Halide::DeviceAPI::CUDA; }

  const Halide::DeviceAPI api;
};

/// The instructions that LLVM does not look into exist only with subnormal f32 as 0: in a lowered module's
/// PTX this makes them those that keep subnormals, as all others there do.
void keepSubnormals(const Halide::Module &module);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEMATH_H
