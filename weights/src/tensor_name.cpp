#include "tensor_name.hpp"

#include <algorithm>
#include <numeric>

namespace heed::detail {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
    }
  }
  return row.back();
}

} // namespace

std::string kernel_spelling(std::string_view name) {
  std::string result(name);
  for (char &c : result)
    if (c == '.' || c == '/')
      c = '_';
  return result;
}

std::string nearest_name(std::string_view name, const std::vector<std::string_view> &candidates) {
  const std::string wanted = kernel_spelling(name);
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, wanted.size() / 2) + 1;
  for (const std::string_view candidate : candidates) {
    const std::string spelt = kernel_spelling(candidate);
    std::size_t distance = edit_distance(wanted, spelt);
    // A prefix such as "model." is all that is missing.
    if (spelt.ends_with('_' + wanted) || wanted.ends_with('_' + spelt))
      distance = std::min<std::size_t>(distance, 1);
    if (distance < best_distance && distance < std::max(wanted.size(), spelt.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

} // namespace heed::detail
