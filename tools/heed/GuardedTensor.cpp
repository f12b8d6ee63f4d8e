#include "GuardedTensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

namespace heed::tools {

namespace {

/// Elements of a guard zone: more than any vector and any tile row of a kernel.
constexpr std::int64_t guard = 1024;

/// NaN, true, and a number that fits no table.
long double poison(spec::dtype type) {
  return isFloat(type) ? std::nan("") : type == spec::dtype::b8 ? 0x5A : 0x7ABCDEF1;
}

std::int64_t spanOf(const Shape &shape, const Shape &strides) {
  std::int64_t last = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 0)
      return 0;
    last += (shape[axis] - 1) * strides[axis];
  }
  return last + 1;
}

} // namespace

Layout denseLayout(const Shape &shape) {
  Layout layout{Shape(shape.size(), 1)};
  for (std::size_t axis = shape.size(); axis-- > 1;)
    layout.strides[axis - 1] = layout.strides[axis] * shape[axis];
  layout.span = spanOf(shape, layout.strides);
  return layout;
}

Layout drawLayout(const Shape &shape, bool mayRepeat, std::mt19937_64 &random) {
  std::size_t rank = shape.size();
  Layout layout = denseLayout(shape);
  if (rank == 0 || random() % 4 == 0)
    return layout;
  std::vector<std::size_t> order(rank); // innermost first
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  if (random() % 2)
    std::shuffle(order.begin() + 1, order.end(), random);
  bool padded = random() % 2;
  std::int64_t step = 1;
  for (std::size_t axis : order) {
    layout.strides[axis] = step;
    step *= shape[axis] + (padded ? static_cast<std::int64_t>(random() % 4) : 0);
  }
  if (mayRepeat && rank > 1 && random() % 4 == 0)
    layout.strides[random() % (rank - 1)] = 0;
  layout.offset = static_cast<std::int64_t>(random() % 16);
  layout.span = spanOf(shape, layout.strides);
  return layout;
}

GuardedTensor::GuardedTensor(spec::dtype type, Shape shape, Layout where)
    : type(type), shape(std::move(shape)), layout(std::move(where)),
      memory((2 * guard + layout.offset + layout.span) * elementSize(type)) {
  std::size_t size = elementSize(type);
  for (std::size_t i = 0; i < memory.size(); i += size)
    storeElement(type, &memory[i], poison(type));
}

std::byte *GuardedTensor::first() { return memory.data() + (guard + layout.offset) * elementSize(type); }
const std::byte *GuardedTensor::first() const { return const_cast<GuardedTensor *>(this)->first(); }

heed_view GuardedTensor::view() {
  heed_view result = {};
  result.data = first();
  result.dtype = static_cast<std::int32_t>(type);
  result.rank = static_cast<std::int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), result.extents);
  std::copy(layout.strides.begin(), layout.strides.end(), result.strides);
  return result;
}

void GuardedTensor::write(const HostTensor &values) {
  std::size_t size = elementSize(type);
  Shape index(shape.size(), 0);
  for (std::int64_t i = 0; i < values.size(); ++i) {
    std::memcpy(first() + reference::offsetOf(index, layout.strides) * size, &values.bytes[i * size], size);
    reference::advance(index, shape);
  }
}

HostTensor GuardedTensor::read() const {
  HostTensor values = HostTensor::zeros(type, shape);
  std::size_t size = elementSize(type);
  Shape index(shape.size(), 0);
  for (std::int64_t i = 0; i < values.size(); ++i) {
    std::memcpy(&values.bytes[i * size], first() + reference::offsetOf(index, layout.strides) * size, size);
    reference::advance(index, shape);
  }
  return values;
}

void GuardedTensor::seal() { sealed = memory; }

bool GuardedTensor::damaged(bool elementsToo) const {
  if (elementsToo)
    return memory != sealed;
  GuardedTensor expected = *this;
  expected.memory = sealed;
  expected.write(read());
  return memory != expected.memory;
}

std::string GuardedTensor::layoutText() const {
  return fmt::format("strides {}, {} elements in", reference::shapeText(layout.strides), layout.offset);
}

} // namespace heed::tools
