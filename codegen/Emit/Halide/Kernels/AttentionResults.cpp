#include "AttentionResults.h"

#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// The largest score in natural logarithms; the lowest number stays what it is.
Expr naturalLargest(const AttentionOperands &in, const RowState &state) {
  if (in.naturalUnit)
    return state.largest;
  const Expr isEmpty = strict_float(state.sum == number(in.accumulator, 0));
  return choose(isEmpty, state.largest, strict_float(state.largest * number(in.accumulator, ln2)));
}

} // namespace

RowState initialState(const AttentionOperands &in, const Expr &row) {
  const Expr lowest = lowestScore(in.accumulator);
  if (!in.kernel.hasSink)
    return {lowest, number(in.accumulator, 0)};
  const Expr sink = strict_float(in.widened(in.sink(in.kernel.memberRows ? row : 0)) *
                                 number(in.accumulator, in.naturalUnit ? 1 : log2e));
  const Expr largest = largerOf(sink, lowest);
  return {largest, exp2NonPositive(strictDifference(sink, largest) * in.unit)};
}

std::vector<Func> defineStatistics(const AttentionOperands &in, const Expr &rows,
                                   const std::function<RowState(const Expr &row)> &finalState, int lanes) {
  Var r("r");
  const RowState state = finalState(r);
  const Expr largest = naturalLargest(in, state);
  std::vector<Func> results;
  auto add = [&](const char *name, const Expr &value) {
    results.emplace_back(name);
    results.back()(r) = value;
    results.back().output_buffer().dim(0).set_bounds(0, rows).set_stride(Expr());
    results.back().vectorize(r, lanes, TailStrategy::GuardWithIf);
  };
  if (in.kernel.statistics) {
    add("largest_score", largest);
    add("sum_of_weights", state.sum);
  }
  if (in.kernel.logSumExp)
    add("log_sum_exp", hideUnless(strict_float(state.sum != number(in.accumulator, 0)),
                                  strict_float(largest + logarithm(state.sum))));
  return results;
}

} // namespace heed::kernels
