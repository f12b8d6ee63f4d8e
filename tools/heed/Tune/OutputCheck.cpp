#include "Tune/OutputCheck.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace heed::tools {

namespace {

spec::dtype typeOf(const heed_view &view) { return static_cast<spec::dtype>(view.dtype); }

std::int64_t sizeOf(const heed_view &view) {
  std::int64_t size = 1;
  for (int axis = 0; axis < view.rank; ++axis)
    size *= view.extents[axis];
  return size;
}

std::byte *elementOf(const heed_view &view, std::int64_t i) {
  return static_cast<std::byte *>(view.data) + i * static_cast<std::int64_t>(elementSize(typeOf(view)));
}

std::vector<double> valuesOf(const heed_view &view) {
  std::vector<double> values(static_cast<std::size_t>(sizeOf(view)));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(loadElement(typeOf(view), elementOf(view, static_cast<std::int64_t>(i))));
  return values;
}

void fillWithNan(const heed_view &view) {
  if (isFloat(typeOf(view)))
    for (std::int64_t i = 0; i < sizeOf(view); ++i)
      storeElement(typeOf(view), elementOf(view, i), std::nan(""));
}

/// Half a unit in the last place of 1.
double roundingOf(spec::dtype type) {
  switch (type) {
  case spec::dtype::f64:
    return 0x1p-53;
  case spec::dtype::f32:
    return 0x1p-24;
  case spec::dtype::f16:
    return 0x1p-11;
  default:
    return 0x1p-8;
  }
}

/// Of results in a narrow type the roundings are few: products are summed in f32.
double toleranceOf(spec::dtype type) {
  double wide = type == spec::dtype::f64 ? 0x1p-53 : 0x1p-24;
  return std::max(4096 * wide, 4 * roundingOf(type));
}

double largestOf(const std::vector<double> &values) {
  double largest = 0;
  for (double value : values)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  return largest;
}

} // namespace

OutputCheck::OutputCheck(const BenchArguments &arguments) : arguments(arguments) {
  for (std::size_t i = arguments.firstOutput; i < arguments.views.size(); ++i)
    fillWithNan(arguments.views[i]);
}

void OutputCheck::expectOutputs() {
  expected.clear();
  for (std::size_t i = arguments.firstOutput; i < arguments.views.size(); ++i) {
    expected.push_back(valuesOf(arguments.views[i]));
    fillWithNan(arguments.views[i]);
  }
}

std::string OutputCheck::mistake() const {
  for (std::size_t output = 0; output < expected.size(); ++output) {
    const heed_view &view = arguments.views[arguments.firstOutput + output];
    if (!isFloat(typeOf(view)))
      continue;
    std::vector<double> values = valuesOf(view);
    double bound = toleranceOf(typeOf(view)) * largestOf(expected[output]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      double got = values[i], needed = expected[output][i];
      bool agrees = std::isnan(needed) ? std::isnan(got) : got == needed || std::fabs(got - needed) <= bound;
      if (!agrees)
        return fmt::format("output {}, element {}: got {:.9g}, the incumbent has {:.9g} ± {:.2g}", output, i,
                           got, needed, bound);
    }
  }
  return "";
}

} // namespace heed::tools
