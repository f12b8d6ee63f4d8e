#include "Attention.h"

using namespace Halide;

namespace heed::kernels {

TileFunction buildValuePairs(const std::string &name, int64_t valueDepth) {
  const Param<int32_t> firstPair("first_pair");
  ImageParam v(UInt(16), 2, "v");
  for (int axis = 0; axis < v.dimensions(); ++axis)
    v.dim(axis).set_min(0);
  const Var column("column"), pair("pair"), strip("strip");
  const Expr keys = v.dim(1).extent(), first = 2 * (firstPair + pair), second = first + 1;
  const auto value = [&](const Expr &key) {
    return v(strip * pairColumns + column, min(likely(key), keys - 1));
  };
  Func pairs("pairs");
  pairs(column, pair, strip) =
      concat_bits({value(first), select(likely(second < keys), value(second), cast<uint16_t>(0))});
  pairs.output_buffer().dim(0).set_bounds(0, pairColumns);
  pairs.output_buffer().dim(1).set_min(0).set_stride(pairColumns);
  pairs.output_buffer().dim(2).set_bounds(0, int32_t(valueDepth / pairColumns));
  pairs.reorder(column, strip, pair).vectorize(column).unroll(strip);
  const Argument values(v.name(), Argument::InputBuffer, BFloat(16), v.dimensions(), {});
  return {name, Pipeline(pairs), {firstPair, values}, {}};
}

} // namespace heed::kernels
