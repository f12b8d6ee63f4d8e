#include "Tune/Evidence.h"

#include <algorithm>

namespace heed::tune {

double quantile(std::vector<double> values, double part) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  double position = part * double(values.size() - 1);
  size_t below = size_t(position), above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - double(below)) * (values[above] - values[below]);
}

bool isFaster(const std::vector<double> &gains) { return quantile(gains, 0.25) > 1 + leastGain; }

bool isHopeless(const std::vector<double> &gains) {
  bool isLossInAll = gains.size() >= 3 && quantile(gains, 1) < 1;
  bool isLossInMost = gains.size() >= 6 && quantile(gains, 0.75) < 1;
  return (isLossInAll || isLossInMost) && quantile(gains, 0.5) < 1 - 2 * leastGain;
}

} // namespace heed::tune
