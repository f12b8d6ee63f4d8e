#include "Arrays/GuardedTensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

namespace heed::tools {

namespace {

/// Elements of a guard zone: more than any vector and any tile row of a kernel.
constexpr std::int64_t guard = 1024;

/// Copies every element between a dense array and a buffer.
template <typename F>
void forEachElement(const Shape &shape, const Shape &strides, std::size_t size, F copy) {
  Shape index(shape.size(), 0);
  for (std::int64_t i = 0, count = reference::elementCount(shape); i < count; ++i) {
    copy(i * size, reference::offsetOf(index, strides) * size);
    reference::advance(index, shape);
  }
}

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
  Layout layout{Shape(shape.size(), 1), guard, guard};
  for (std::size_t axis = shape.size(); axis-- > 1;)
    layout.strides[axis - 1] = layout.strides[axis] * shape[axis];
  layout.span = spanOf(shape, layout.strides);
  return layout;
}

Layout drawLayout(const Shape &shape, bool mayRepeat, std::mt19937_64 &random) {
  std::size_t rank = shape.size();
  Layout layout = denseLayout(shape);
  layout.before += static_cast<std::int64_t>(random() % 16);
  layout.after = random() % 2 ? 0 : guard;
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
  layout.span = spanOf(shape, layout.strides);
  return layout;
}

GuardedTensor::GuardedTensor(spec::dtype type, Shape shape, Layout where)
    : type(type), shape(std::move(shape)), layout(std::move(where)),
      memory((layout.before + layout.span + layout.after) * elementSize(type)) {
  for (std::size_t i = 0; i < memory.size(); i += elementSize(type))
    storeElement(type, memory.data() + i, poison(type));
}

heed_view GuardedTensor::view() {
  heed_view result = {};
  result.data = memory.data() + firstByte();
  result.dtype = static_cast<std::int32_t>(type);
  result.rank = static_cast<std::int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), result.extents);
  std::copy(layout.strides.begin(), layout.strides.end(), result.strides);
  return result;
}

void GuardedTensor::write(const HostTensor &values) {
  std::size_t size = elementSize(type);
  forEachElement(shape, layout.strides, size, [&](std::size_t dense, std::size_t offset) {
    std::memcpy(memory.data() + firstByte() + offset, &values.bytes[dense], size);
  });
}

HostTensor GuardedTensor::read() const {
  HostTensor values = HostTensor::zeros(type, shape);
  std::size_t size = elementSize(type);
  forEachElement(shape, layout.strides, size, [&](std::size_t dense, std::size_t offset) {
    std::memcpy(&values.bytes[dense], memory.data() + firstByte() + offset, size);
  });
  return values;
}

void GuardedTensor::seal() { sealed.assign(memory.data(), memory.data() + memory.size()); }

bool GuardedTensor::damaged(bool elementsToo) const {
  std::vector<std::byte> expected = sealed;
  std::size_t size = elementSize(type);
  if (!elementsToo)
    forEachElement(shape, layout.strides, size, [&](std::size_t, std::size_t offset) {
      std::memcpy(&expected[firstByte() + offset], memory.data() + firstByte() + offset, size);
    });
  return std::memcmp(expected.data(), memory.data(), memory.size()) != 0;
}

std::string GuardedTensor::layoutText() const {
  return fmt::format("strides {}, {} elements of guard before, {} behind",
                     reference::shapeText(layout.strides), layout.before, layout.after);
}

} // namespace heed::tools
