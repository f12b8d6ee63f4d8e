//===- DeviceEpilogue.h - Epilogues on devices ------------------*- C++ -*-===//
//
// As Epilogue.h says, with these differences: `within` of `apply` is the whole index in the result, innermost
// first; scalars are extents alone. Operands have their two axes, or a table's own, then the grid's.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEEPILOGUE_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEEPILOGUE_H

#include "DeviceFunction.h"
#include "Epilogue.h"

namespace heed::kernels {

class DeviceEpilogue {
public:
  DeviceEpilogue(const Epilogue &epilogue, int gridRank);

  /// `within` begins with the column and the row.
  Halide::Expr apply(const Halide::Expr &sum, const std::vector<Halide::Expr> &within,
                     const GridIndices &tile) const;

  /// The scalars.
  std::vector<Halide::Argument> arguments() const;

  std::vector<DeviceOperand> operands;

private:
  const Epilogue &epilogue;
  std::vector<Halide::Param<int32_t>> scalars;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEEPILOGUE_H
