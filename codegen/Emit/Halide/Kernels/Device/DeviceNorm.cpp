#include "DeviceRowFold.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class DeviceNorm {
public:
  DeviceNorm(const NormKernel &kernel, int gridRank, const DeviceRowsSchedule &schedule,
             const DeviceTarget &target)
      : kernel(kernel), rows(kernel.types.input, gridRank, schedule, target) {}

  DeviceFunction build() {
    DeviceRowFold sum(rows, sumOf("sum", {rows.type}, [&](const Expr &i) { return Values{rows.folded(i)}; }));
    DeviceRowFold moments(rows, sumOf("moments", std::vector<Type>(kernel.centred ? 2 : 1, rows.type),
                                      [&](const Expr &i) { return momentTerms(i, sum.inStage()[0]); }));
    const Expr mean = meanOf(sum.inResult()[0]);
    const Values sums = moments.inResult();
    Expr rest = number(rows.type, 0), square = sums.back() / length();
    if (kernel.centred) {
      rest = sums.front() / length();
      square = choose(isNotFinite(magnitudeBits(square), rows.type), square,
                      max(square - rest * rest, number(rows.type, 0)));
    }
    const Expr scale = number(rows.type, 1) / sqrt(square + number(rows.type, kernel.epsilon));
    const std::vector<Var> index = rows.withGrid({rows.row});
    ofRow(index) = kernel.centred ? Tuple(strict_float(scale), strict_float(mean), strict_float(rest))
                                  : Tuple(std::vector<Expr>{strict_float(scale)});
    Func y("y");
    y(rows.withGrid({rows.n, rows.row})) = cast(kernel.types.result, strict_float(result(index)));
    const DeviceFunction function = rows.finish(kernel.name, y);
    if (kernel.centred)
      sum.schedule();
    moments.schedule();
    ofRow.compute_at(rows.thread);
    return function;
  }

private:
  Expr length() const { return cast(rows.type, rows.count); }

  Expr meanOf(const Expr &sum) const { return strict_float(sum / length()); }

  // What rounding left of the mean comes out of the differences to it, as in Norm.cpp.
  Values momentTerms(const Expr &index, const Expr &sum) const {
    const Expr element = rows.folded(index);
    if (!kernel.centred)
      return {strict_float(element * element)};
    const Expr difference = strict_float(element - meanOf(sum));
    return {difference, strict_float(difference * difference)};
  }

  Expr result(const std::vector<Var> &index) {
    Expr value = rows.element();
    if (kernel.centred)
      value = value - ofRow(index)[1] - ofRow(index)[2];
    value = value * (kernel.centred ? Expr(ofRow(index)[0]) : Expr(ofRow(index)));
    if (kernel.hasGain)
      value = value * rows.add(kernel.types.gain, "gain")(rows.n);
    if (kernel.hasBias)
      value = value + rows.add(kernel.types.bias, "bias")(rows.n);
    return value;
  }

  const NormKernel &kernel;
  DeviceRows rows;
  Func ofRow{"of_row"};
};

} // namespace

DeviceFunction buildDeviceNorm(const NormKernel &kernel, int gridRank, const DeviceRowsSchedule &schedule,
                               const DeviceTarget &target) {
  return DeviceNorm(kernel, gridRank, schedule, target).build();
}

} // namespace heed::kernels
