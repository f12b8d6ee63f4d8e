#include "DeviceRowFold.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class DeviceNorm {
public:
  DeviceNorm(const NormKernel &kernel, int gridRank, const DeviceRowsSchedule &schedule)
      : kernel(kernel),
        rows(kernel.types.input, kernel.types.result, RowResult::Elements, gridRank, schedule) {}

  DeviceFunction build() {
    DeviceRowFold sum(rows, sumOf("sum", {rows.type}, [&](const Expr &i) { return Values{rows.folded(i)}; }));
    const Expr mean = strict_float(sum.inStage()[0] / length());
    DeviceRowFold moments(rows, sumOf("moments", std::vector<Type>(kernel.centred ? 2 : 1, rows.type),
                                      [&](const Expr &i) { return momentTerms(i, mean); }));
    const Values sums = moments.inStage();
    Expr rest = number(rows.type, 0), square = sums.back() / length();
    if (kernel.centred) {
      rest = sums.front() / length();
      square = choose(isNotFinite(magnitudeBits(square), rows.type), square,
                      max(square - rest * rest, number(rows.type, 0)));
    }
    const Expr scale = strict_float(number(rows.type, 1) / sqrt(square + number(rows.type, kernel.epsilon)));
    ofRow(rows.threadY, rows.block) =
        kernel.centred ? Tuple(scale, mean, strict_float(rest)) : Tuple(std::vector<Expr>{scale});
    const DeviceFunction function = rows.finish(kernel.name, strict_float(result()), ofRow);
    if (kernel.centred)
      sum.schedule();
    moments.schedule();
    return function;
  }

private:
  Expr length() const { return cast(rows.type, rows.count); }

  // What rounding left of the mean comes out of the differences to it, as in Norm.cpp.
  Values momentTerms(const Expr &index, const Expr &mean) const {
    const Expr element = rows.folded(index);
    if (!kernel.centred)
      return {strict_float(element * element)};
    const Expr difference = strict_float(element - mean);
    return {difference, strict_float(difference * difference)};
  }

  Expr result() {
    const FuncRef row = rows.inResult(ofRow);
    Expr value = rows.element();
    if (kernel.centred)
      value = value - row[1] - row[2];
    value = value * (kernel.centred ? row[0] : Expr(row));
    if (kernel.hasGain)
      value = value * rows.add(kernel.types.gain, "gain").inResult();
    if (kernel.hasBias)
      value = value + rows.add(kernel.types.bias, "bias").inResult();
    return value;
  }

  const NormKernel &kernel;
  DeviceRows rows;
  Func ofRow{"of_row"};
};

} // namespace

DeviceFunction buildDeviceNorm(const NormKernel &kernel, int gridRank, const DeviceRowsSchedule &schedule,
                               const DeviceTarget &) {
  return DeviceNorm(kernel, gridRank, schedule).build();
}

} // namespace heed::kernels
