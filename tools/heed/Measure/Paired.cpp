#include "Measure/Paired.h"

#include "Measure/Measure.h"

namespace heed::tools {

std::vector<double> PairedTimes::gains() const {
  std::vector<double> result;
  for (std::size_t i = 0; i < first.size(); ++i)
    result.push_back(first[i] / second[i]);
  return result;
}

PairedTimes timePairs(const std::function<void()> &first, const std::function<void()> &second, int pairs,
                      const std::function<bool(const std::vector<double> &gains)> &isEnough) {
  second();
  std::int64_t calls = callsPerSample(first);
  auto sample = [calls](const std::function<void()> &call) {
    return timeCalls(call, calls) / static_cast<double>(calls);
  };
  PairedTimes times;
  for (int pair = 0; pair < pairs && !(isEnough && isEnough(times.gains())); ++pair) {
    bool inOrder = pair % 2 == 0;
    double one = sample(inOrder ? first : second), other = sample(inOrder ? second : first);
    times.first.push_back(inOrder ? one : other);
    times.second.push_back(inOrder ? other : one);
  }
  return times;
}

} // namespace heed::tools
