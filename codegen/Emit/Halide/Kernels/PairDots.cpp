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

Expr LowerPairDots::visit(const Call *op) {
  if (op->name != pairDotName)
    return IRMutator::visit(op);
  const Expr a = mutate(op->args[0]), b = mutate(op->args[1]);
  return VectorReduce::make(VectorReduce::Add, elementsOf(a) * elementsOf(b), op->type.lanes());
}

} // namespace heed::kernels
