#include "heed/plot/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::plot {

matrix normalized(matrix m) {
  double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
  for (double value : m.values)
    if (std::isfinite(value)) {
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
  for (double &value : m.values)
    value = !std::isfinite(value) ? std::nan("")
            : largest > smallest  ? (value - smallest) / (largest - smallest)
                                  : 0;
  return m;
}

} // namespace heed::plot
