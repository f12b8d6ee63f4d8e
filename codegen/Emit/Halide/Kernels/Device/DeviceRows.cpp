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
  DeviceRowSums(const SoftmaxKernel &kernel, int gridRank, const DeviceRowsSchedule &schedule,
                const DeviceTarget &target)
      : rows(kernel.types.input, gridRank, schedule, target) {
    if (kernel.hasSink)
      sink = rows.add(kernel.types.sink, "sink")(0);
    maxima.emplace(rows, Fold{"largest",
                              {lowestScore(rows.type)},
                              [this](const Expr &i) { return Values{rows.folded(i)}; },
                              [](const Values &a, const Values &b) { return Values{largerOf(a[0], b[0])}; }});
    sums.emplace(rows, sumOf("sum", {rows.type}, [this](const Expr &i) {
                   return Values{weightOf(rows.folded(i), largest(maxima->inStage()))};
                 }));
    const Expr top = largest(maxima->inResult()), ofKeys = sums->inResult()[0];
    ofRow(rows.withGrid({rows.row})) = Tuple(top, kernel.hasSink ? weightOf(sink, top) + ofKeys : ofKeys);
  }

  Expr top() const { return ofRow(rows.withGrid({rows.row}))[0]; }
  Expr sum() const { return ofRow(rows.withGrid({rows.row}))[1]; }

  static Expr weightOf(const Expr &score, const Expr &top) {
    return exp2OnDevice(strictDifference(score, top) * number(score.type(), log2e));
  }

  DeviceFunction finish(const std::string &name, const Func &y) {
    const DeviceFunction function = rows.finish(name, y);
    maxima->schedule();
    sums->schedule();
    ofRow.compute_at(rows.thread);
    return function;
  }

  DeviceRows rows;

private:
  Expr largest(const Values &ofKeys) const { return sink.defined() ? largerOf(sink, ofKeys[0]) : ofKeys[0]; }

  Expr sink;
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
          [&rows](const Expr &i) {
            return Values{keyOf(rows.folded(i)), i};
          },
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
                                  const DeviceRowsSchedule &schedule, const DeviceTarget &target) {
  DeviceRowSums in(kernel, gridRank, schedule, target);
  const DeviceRows &rows = in.rows;
  Func y("y");
  y(rows.withGrid({rows.n, rows.row})) =
      cast(kernel.types.result, quotientOrEmpty(DeviceRowSums::weightOf(rows.element(), in.top()), in.sum(),
                                                emptyRow(rows.type, kernel.nanForEmpty, rows.count)));
  return in.finish(kernel.name, y);
}

DeviceFunction buildDeviceLogSumExp(const SoftmaxKernel &kernel, int gridRank,
                                    const DeviceRowsSchedule &schedule, const DeviceTarget &target) {
  DeviceRowSums in(kernel, gridRank, schedule, target);
  const DeviceRows &rows = in.rows;
  const Expr isEmpty = strict_float(in.sum() == number(rows.type, 0));
  Func y("y");
  y(rows.withGrid({rows.row})) =
      cast(kernel.types.result, hideUnless(!isEmpty, strict_float(in.top() + logarithm(in.sum()))));
  return in.finish(kernel.name, y);
}

DeviceFunction buildDeviceReduction(const ReductionKernel &kernel, int gridRank,
                                    const DeviceRowsSchedule &schedule, const DeviceTarget &target) {
  DeviceRows rows(kernel.input, gridRank, schedule, target);
  DeviceRowFold fold(rows, reductionOf(kernel.kind, rows));
  Func y("y");
  y(rows.withGrid({rows.row})) = reductionResult(kernel, rows.type, fold.inResult());
  const DeviceFunction function = rows.finish(kernel.name, y);
  fold.schedule();
  return function;
}

} // namespace heed::kernels
