#include "DeviceProduct.h"
#include "Matmul.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

DeviceFunction buildDeviceMatmul(const MatmulKernel &kernel, int gridRank,
                                 const DeviceMatmulSchedule &schedule, const DeviceTarget &target) {
  const Type type = accumulatorOf(kernel.types.left);
  const DeviceOperand a(kernel.types.left, 2, gridRank, "a"), b(kernel.types.right, 2, gridRank, "b");
  std::vector<bool> walked(gridRank, true);
  walked[gridRank - 1] = walked[gridRank - 2] = false;
  const DeviceFactor left{[&](const Expr &depth, const Expr &row, const GridIndices &tile) {
                            return cast(type, a({depth, row}, tile));
                          },
                          a.extent(1)};
  const DeviceFactor right{[&](const Expr &depth, const Expr &column, const GridIndices &tile) {
                             return cast(type, b({column, depth}, tile));
                           },
                           b.extent(0), /*alongDepth=*/false};
  const DeviceResult result{
      kernel.types.result, 2,
      [](const Expr &column, const Expr &row) { return std::vector<Expr>{column, row}; },
      [](const Expr &sum, const Expr &, const Expr &, const GridIndices &) { return sum; }};
  const DeviceProduct product =
      multiply({type, a.extent(0), std::nullopt, walked}, left, right, result, schedule.block, target);
  return {kernel.name,
          Pipeline(product.output),
          {a.image, b.image},
          {a.image.name(), b.image.name(), product.output.name()},
          {product.sums}};
}

} // namespace heed::kernels
