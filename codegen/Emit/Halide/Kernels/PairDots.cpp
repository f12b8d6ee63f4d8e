#include "PairDots.h"

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

constexpr const char *pairDotName = "heed_pair_dot";

/// Twice as many bf16, widened.
Expr elementsOf(const Expr &pairs) {
  const int count = 2 * pairs.type().lanes();
  return Cast::make(Float(32, count), Reinterpret::make(BFloat(16, count), pairs));
}

} // namespace

Expr pairDot(const Expr &a, const Expr &b) {
  return Call::make(Float(32, a.type().lanes()), pairDotName, {a, b}, Call::PureExtern);
}

Expr lowOf(const Expr &pair) { return reinterpret<float>(pair << make_const(UInt(32), 16)); }

Expr highOf(const Expr &pair) { return reinterpret<float>(pair & make_const(UInt(32), 0xffff0000)); }

Expr upperHalves(const Expr &low, const Expr &high) {
  return reinterpret<uint32_t>(low) >> make_const(UInt(32), 16) |
         (reinterpret<uint32_t>(high) & make_const(UInt(32), 0xffff0000));
}

Expr LowerPairDots::visit(const Call *op) {
  if (op->name != pairDotName)
    return IRMutator::visit(op);
  const Expr a = mutate(op->args[0]), b = mutate(op->args[1]);
  return VectorReduce::make(VectorReduce::Add, elementsOf(a) * elementsOf(b), op->type.lanes());
}

} // namespace heed::kernels
