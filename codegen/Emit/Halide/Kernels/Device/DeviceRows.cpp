#include "DeviceMath.h"
#include "DeviceRowFold.h"
#include "Numerics.h"
#include "ReductionFold.h"

#include <optional>

using namespace Halide;

namespace heed::kernels {

namespace {

/// The largest entry and the sum of the weights of every row: what softmax and its logarithm start from.
class DeviceRowSums {
public:
  DeviceRowSums(const SoftmaxKernel &kernel, RowResult shape, int gridRank,
                const DeviceRowsSchedule &schedule)
      : rows(kernel.types.input, kernel.types.result, shape, gridRank, schedule) {
    Expr sink;
    if (kernel.hasSink)
      sink = rows.add(kernel.types.sink, "sink").inStage(0);
    maxima.emplace(rows, Fold{"largest",
                              {lowestScore(rows.type)},
                              [this](const Expr &i) { return Values{rows.folded(i)}; },
                              [](const Values &a, const Values &b) { return Values{largerOf(a[0], b[0])}; }});
    const Expr ofKeys = maxima->inStage()[0], largest = kernel.hasSink ? largerOf(sink, ofKeys) : ofKeys;
    sums.emplace(rows, sumOf("sum", {rows.type}, [this, largest](const Expr &i) {
                   return Values{weightOf(rows.folded(i), largest)};
                 }));
    const Expr sum = sums->inStage()[0];
    ofRow(rows.threadY, rows.block) = Tuple(largest, kernel.hasSink ? weightOf(sink, largest) + sum : sum);
  }

  static Expr weightOf(const Expr &score, const Expr &largest) {
    return exp2OnDevice(strictDifference(score, largest) * number(score.type(), log2e));
  }

  /// Of the row of the result.
  Expr largest() const { return rows.inResult(ofRow)[0]; }
  Expr sum() const { return rows.inResult(ofRow)[1]; }

  DeviceFunction finish(const std::string &name, const Expr &value) {
    const DeviceFunction function = rows.finish(name, value, ofRow);
    maxima->schedule();
    sums->schedule();
    return function;
  }

  DeviceRows rows;

private:
  std::optional<DeviceRowFold> maxima, sums;
  Func ofRow{"of_row"};
};

} // namespace

DeviceFunction buildDeviceSoftmax(const SoftmaxKernel &kernel, int gridRank,
                                  const DeviceRowsSchedule &schedule, const DeviceTarget &) {
  DeviceRowSums in(kernel, RowResult::Elements, gridRank, schedule);
  const Expr weight = DeviceRowSums::weightOf(in.rows.element(), in.largest());
  return in.finish(kernel.name, quotientOrEmpty(weight, in.sum(),
                                                emptyRow(in.rows.type, kernel.nanForEmpty, in.rows.count)));
}

DeviceFunction buildDeviceLogSumExp(const SoftmaxKernel &kernel, int gridRank,
                                    const DeviceRowsSchedule &schedule, const DeviceTarget &) {
  DeviceRowSums in(kernel, RowResult::Values, gridRank, schedule);
  const Expr isEmpty = strict_float(in.sum() == number(in.rows.type, 0));
  return in.finish(kernel.name, hideUnless(!isEmpty, strict_float(in.largest() + logarithm(in.sum()))));
}

DeviceFunction buildDeviceReduction(const ReductionKernel &kernel, int gridRank,
                                    const DeviceRowsSchedule &schedule, const DeviceTarget &) {
  DeviceRows rows(kernel.input, kernel.result, RowResult::Values, gridRank, schedule);
  DeviceRowFold fold(rows,
                     reductionOf(kernel.kind, rows.type, [&](const Expr &i) { return rows.folded(i); }));
  Func ofRow("of_row");
  ofRow(rows.threadY, rows.block) = reductionResult(kernel, rows.type, fold.inStage());
  const DeviceFunction function = rows.finish(kernel.name, rows.inResult(ofRow), ofRow);
  fold.schedule();
  return function;
}

} // namespace heed::kernels
