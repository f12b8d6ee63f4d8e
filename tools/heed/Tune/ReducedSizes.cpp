#include "Tune/ReducedSizes.h"

#include "Arrays/IntegerRanges.h"
#include "Measure/Work.h"

#include <algorithm>
#include <numeric>

namespace heed::tools {

namespace {

bool isPossible(const spec::graph &kernel, const SymbolValues &values) {
  for (int i = 0; i < kernel.extent_count; ++i)
    if (!reference::extentValue(kernel, i, values))
      return false;
  return rowsFit(kernel, values);
}

bool isSmall(const spec::graph &kernel, const SymbolValues &values, double operations) {
  Work work = countWork(kernel, values);
  return work.operations <= operations && work.elements <= operations / 8;
}

} // namespace

SymbolValues reducedSizes(const spec::graph &kernel, const SymbolValues &values, double operations,
                          std::mt19937_64 &random) {
  SymbolValues reduced = values;
  while (!isSmall(kernel, reduced, operations)) {
    std::vector<std::size_t> order(reduced.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return reduced[a] > reduced[b]; });
    bool isHalved = false;
    for (std::size_t symbol : order) {
      SymbolValues halved = reduced;
      halved[symbol] = (halved[symbol] + 1) / 2;
      if (halved == reduced || !isPossible(kernel, halved))
        continue;
      reduced = halved;
      isHalved = true;
      break;
    }
    if (!isHalved)
      break;
  }
  for (std::size_t symbol = 0; symbol < reduced.size(); ++symbol) {
    SymbolValues smaller = reduced;
    smaller[symbol] -= static_cast<std::int64_t>(random() % (reduced[symbol] / 4 + 1));
    if (isPossible(kernel, smaller))
      reduced = smaller;
  }
  return reduced;
}

} // namespace heed::tools
