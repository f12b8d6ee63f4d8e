#include "ScoreProgramUse.h"

#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

ScoreProgramUse useOfProgram(const AttentionKernel &kernel, bool isMatrix,
                             const std::function<ScoreAndVisible(const Expr &anyScore)> &apply) {
  const Type accumulator = accumulatorOf(kernel.types.q);
  const std::string name = "score";
  const Expr anyScore = Internal::Variable::make(accumulator, name);
  const ScoreAndVisible result = apply(anyScore);
  ScoreProgramUse use;
  use.changesScore = !Internal::equal(result.score, anyScore);
  use.mayHide = result.visible.defined();
  use.hidesAll = use.mayHide && Internal::is_const_zero(Internal::simplify(result.visible));
  const bool hidesByScore = use.mayHide && Internal::expr_uses_var(result.visible, name);
  // Statistics must be of the very scores that a score matrix computes again.
  use.naturalUnit = use.changesScore || hidesByScore || kernel.statistics || kernel.unnormalized || isMatrix;
  use.unit = number(accumulator, use.naturalUnit ? log2e : 1);
  use.queryFactor = number(accumulator, kernel.scale * (use.naturalUnit ? 1 : log2e));
  return use;
}

ElementAt elementsOfRanges(ElementAt element) {
  return [element = std::move(element)](size_t number, const std::vector<Expr> &indices) {
    const Expr value = element(number, indices);
    const bool mayBeLarge = value.type().is_float() || value.type().bits() >= 32;
    const Expr limit = Internal::make_const(value.type(), mayBeLarge ? 1 << 30 : 1);
    return cast<int32_t>(!mayBeLarge              ? value
                         : value.type().is_uint() ? min(value, limit)
                                                  : clamp(value, -limit, limit));
  };
}

KeyRange rangeWithin(const KeyRange &range, const KeyRange &whole) {
  const Expr first = clamp(range.first, whole.first, whole.end);
  return {first, clamp(range.end, first, whole.end)};
}

} // namespace heed::kernels
