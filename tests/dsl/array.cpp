#include "evaluate.hpp"

#include <stdexcept>

namespace heed::testing {
namespace {

using position = std::vector<std::int64_t>;

std::size_t offset(const position &shape, const position &at) {
  std::size_t result = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (at[i] < 0 || at[i] >= shape[i])
      throw std::out_of_range("a position outside of its array");
    result = result * shape[i] + at[i];
  }
  return result;
}

} // namespace

array::array(position extents, double fill) : shape(std::move(extents)) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape)
    count *= extent;
  elements.assign(count, fill);
}

double &array::at(const position &at) { return elements[offset(shape, at)]; }
double array::at(const position &at) const { return elements[offset(shape, at)]; }

void for_each_position(const position &shape, const std::function<void(const position &)> &visit) {
  position at(shape.size(), 0);
  for (const std::int64_t extent : shape)
    if (extent == 0)
      return;
  for (bool more = true; more;) {
    visit(at);
    more = false;
    for (std::size_t i = shape.size(); i > 0 && !more; --i) {
      more = ++at[i - 1] < shape[i - 1];
      at[i - 1] = more ? at[i - 1] : 0;
    }
  }
}

array filled(position shape, const std::function<double(const position &)> &element) {
  array result(std::move(shape));
  for_each_position(result.shape, [&](const position &at) { result.at(at) = element(at); });
  return result;
}

array mixed(position shape, unsigned seed) {
  return filled(std::move(shape), [state = seed](const position &) mutable {
    state = state * 1664525u + 1013904223u;
    return static_cast<double>(state >> 8) / (1 << 23) - 1;
  });
}

} // namespace heed::testing
