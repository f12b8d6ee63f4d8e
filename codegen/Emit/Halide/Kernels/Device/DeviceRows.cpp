#include "DeviceMath.h"
#include "DeviceRowFold.h"
#include "Numerics.h"

#include <limits>
#include <optional>
#include <stdexcept>

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

/// As Reduction.cpp has it: keys are integers in the order of the numbers.
Fold reductionOf(Reduction kind, const DeviceRows &rows) {
  const Type type = rows.type;
  if (kind == Reduction::Sum) {
    const Type sum = type.is_int() ? type.with_code(Type::UInt) : type;
    return sumOf("sum", {sum}, [&rows, sum](const Expr &i) { return Values{cast(sum, rows.folded(i))}; });
  }
  const Expr lowest =
      type.is_int() ? type.min() : keyOf(number(type, -std::numeric_limits<double>::infinity()));
  if (kind == Reduction::Amax)
    return {"largest",
            {lowest},
            [&rows](const Expr &i) { return Values{keyOf(rows.folded(i))}; },
            [](const Values &a, const Values &b) { return Values{max(a[0], b[0])}; }};
  return {"first_largest",
          {lowest, Expr(0)},
          [&rows](const Expr &i) { return Values{keyOf(rows.folded(i)), i}; },
          [](const Values &a, const Values &b) {
            const Expr takesB = b[0] > a[0] || (b[0] == a[0] && b[1] < a[1]);
            return Values{select(takesB, b[0], a[0]), select(takesB, b[1], a[1])};
          }};
}

Expr reductionResult(const ReductionKernel &kernel, const Type &type, const Values &values) {
  switch (kernel.kind) {
  case Reduction::Sum:
    return cast(kernel.result, values[0]);
  case Reduction::Amax:
    return cast(kernel.result, numberOf(values[0], type));
  case Reduction::Argmax:
    return values[1];
  }
  throw std::logic_error("reduction: unknown");
}

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
  DeviceRowFold fold(rows, reductionOf(kernel.kind, rows));
  Func ofRow("of_row");
  ofRow(rows.threadY, rows.block) = reductionResult(kernel, rows.type, fold.inStage());
  const DeviceFunction function = rows.finish(kernel.name, rows.inResult(ofRow), ofRow);
  fold.schedule();
  return function;
}

} // namespace heed::kernels
