#include "Transpose.h"

using namespace Halide;

namespace heed::kernels {

Transpose::Transpose(const std::string &name, By by, int lanes,
                     const std::function<Expr(const Expr &, const Expr &)> &source,
                     const std::optional<Expr> &count, std::vector<Var> outerVariables)
    : result(name), by(by), lanes(lanes), outer(std::move(outerVariables)) {
  if (by == By::Element)
    result(with<Var>({a, b})) = source(b, a);
  else
    defineSquares(source(bSquare * lanes + lane, aSquare * lanes + row), count);
}

void Transpose::defineSquares(const Expr &value, const std::optional<Expr> &count) {
  Func loaded(result.name() + "_rows");
  const Expr zero = Internal::make_zero(value.type());
  if (count) {
    RDom once(0, 1, "once");
    once.where(likely(bSquare * lanes + lane < *count));
    loaded(with<Var>({lane, row, bSquare, aSquare})) = zero;
    loaded(with<Var>({lane, row, bSquare, aSquare})) = select(once == 0, value, zero);
  } else {
    loaded(with<Var>({lane, row, bSquare, aSquare})) = value;
  }
  rounds.push_back(loaded);
  for (int half = 1; half < lanes; half *= 2) {
    // From the second round on, a row of 2 · lanes elements holds two rows of the square.
    const Func before = rounds.back();
    const bool isFirst = half == 1;
    const auto rowOf = [&](const Expr &n) {
      return isFirst ? before(with<Expr>({lane / 2, n, bSquare, aSquare}))
                     : before(with<Expr>({n % 2 * lanes + lane / 2, n / 2, bSquare, aSquare}));
    };
    Func round(result.name() + "_round");
    round(with<Var>({lane, row, bSquare, aSquare})) =
        select(lane % 2 == 0, rowOf(row), rowOf(row + lanes / 2));
    rounds.push_back(round);
  }
  result(with<Var>({a, b})) =
      rounds.back()(with<Expr>({b % 2 * lanes + a % lanes, b % lanes / 2, b / lanes, a / lanes}));
}

void Transpose::schedule(const LoopLevel &level) {
  for (const Var &variable : outer)
    result.bound_extent(variable, 1);
  result.compute_at(level).split(a, aSquare, a, lanes, TailStrategy::RoundUp);
  if (by == By::Element) {
    // One vector of rows at a time: more would meet in the same cache sets where their stride is a power of
    // two.
    result.reorder(a, b, aSquare).vectorize(a);
    return;
  }
  result.align_bounds(b, lanes).split(b, bSquare, b, lanes, TailStrategy::RoundUp);
  result.reorder(a, b, bSquare, aSquare);
  result.vectorize(a).unroll(b);
  for (size_t n = 0; n < rounds.size(); ++n) {
    Func &round = rounds[n];
    const int width = n == 0 ? lanes : 2 * lanes, height = n == 0 ? lanes : lanes / 2;
    for (const Var &variable : outer)
      round.bound_extent(variable, 1);
    round.compute_at(result, bSquare).bound_extent(bSquare, 1).bound_extent(aSquare, 1);
    round.bound(lane, 0, width).bound(row, 0, height).vectorize(lane, width).unroll(row);
    if (n == 0 && round.has_update_definition())
      round.update().vectorize(lane, width).unroll(row);
  }
}

} // namespace heed::kernels
