#include "Support/Names.h"

#include "Support/ToolError.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace heed::tools {

namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
    }
  }
  return row.back();
}

} // namespace

std::string nearestName(std::string_view name, const std::vector<std::string> &candidates) {
  std::string best;
  std::size_t bestDistance = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const std::string &candidate : candidates) {
    std::size_t distance = editDistance(name, candidate);
    if (candidate.starts_with(name) || name.starts_with(candidate))
      distance = std::min<std::size_t>(distance, 2);
    if (distance < bestDistance && distance < std::max(name.size(), candidate.size())) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string> &candidates) {
  std::string nearest = nearestName(name, candidates);
  return nearest.empty() ? nearest : fmt::format("; did you mean '{}'?", nearest);
}

std::string joined(const std::vector<std::string> &names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::pair<std::string, std::string> splitAssignment(const std::string &option, const std::string &text) {
  std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw ToolError(fmt::format("{}: '{}' is not of the form NAME=VALUE", option, text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

} // namespace heed::tools
