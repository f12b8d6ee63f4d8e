#include "Table.h"

using namespace Halide;

namespace heed::kernels {

Expr tableElement(const ImageParam &table, const std::vector<Expr> &indices) {
  std::vector<Expr> at;
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    const Expr last = max(table.dim(int(axis)).extent() - 1, 0);
    const Type type = indices[axis].type();
    at.push_back(cast<int32_t>(clamp(indices[axis], Internal::make_zero(type), cast(type, last))));
  }
  return table(at);
}

} // namespace heed::kernels
