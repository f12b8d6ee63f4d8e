#include "Table.h"

using namespace Halide;

namespace heed::kernels {

std::vector<Expr> tableIndices(const std::vector<Expr> &indices,
                               const std::function<Expr(int axis)> &extent) {
  std::vector<Expr> at;
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    const Expr last = max(extent(int(axis)) - 1, 0);
    const Type type = indices[axis].type();
    at.push_back(cast<int32_t>(clamp(indices[axis], Internal::make_zero(type), cast(type, last))));
  }
  return at;
}

Expr tableElement(const ImageParam &table, const std::vector<Expr> &indices) {
  return table(tableIndices(indices, [&](int axis) { return table.dim(axis).extent(); }));
}

} // namespace heed::kernels
