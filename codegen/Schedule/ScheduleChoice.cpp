#include "ScheduleChoice.h"

#include <algorithm>
#include <cmath>

namespace heed {

namespace {

/// ⌊√(a b)⌋ of positive numbers.
int64_t geometricMean(int64_t a, int64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b);
  auto root = static_cast<unsigned __int128>(std::sqrt(static_cast<long double>(product)));
  while (root * root > product)
    --root;
  while ((root + 1) * (root + 1) <= product)
    ++root;
  return static_cast<int64_t>(root);
}

std::string originOf(const SizedSchedule &entry, const std::string &file) {
  std::string text = file + ":" + std::to_string(entry.line);
  std::string_view before = " at ";
  for (const auto &[symbol, size] : entry.sizes) {
    text += std::string(before) + symbol + "=" + std::to_string(size);
    before = " ";
  }
  return text;
}

} // namespace

ScheduleChoice chooseBySize(std::vector<SizedSchedule> entries, const std::string &file) {
  sortEntries(entries);
  if (entries.size() > 1 && entries.front().sizes.empty())
    entries.erase(entries.begin()); // only the base of the others
  ScheduleChoice choice;
  int64_t before = 0;
  for (const SizedSchedule &entry : entries) {
    const int64_t product = *sizeProduct(entry.sizes);
    if (!choice.ranges.empty() && choice.ranges.back().schedule == entry.schedule) {
      choice.ranges.back().origin += ", " + originOf(entry, file);
    } else {
      if (!choice.ranges.empty())
        choice.ranges.back().atMost = geometricMean(before, product);
      choice.ranges.push_back({entry.schedule, -1, originOf(entry, file)});
    }
    before = product;
  }
  if (choice.ranges.size() > 1)
    for (const auto &[symbol, size] : entries.front().sizes)
      choice.symbols.push_back(symbol);
  return choice;
}

ScheduleChoices withoutSizes(const ScheduleTable &schedules) {
  ScheduleChoices choices;
  for (const auto &[name, schedule] : schedules)
    choices[name].ranges.push_back({schedule});
  return choices;
}

} // namespace heed
