#include "Reference/Tensor.h"

namespace heed::reference {

std::int64_t Tensor::integer(std::size_t i) const {
  return integers.empty() ? static_cast<std::int64_t>(elements[i].value) : integers[i];
}

std::int64_t elementCount(const Shape &shape) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    count *= extent;
  return count;
}

Tensor zeros(const Shape &shape) { return {shape, std::vector<Number>(elementCount(shape))}; }

Shape broadcastStrides(const Shape &shape, const Shape &result) {
  Shape strides(result.size(), 0);
  std::int64_t step = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::size_t axis = shape.size() - 1 - i;
    strides[result.size() - 1 - i] = shape[axis] == 1 ? 0 : step;
    step *= shape[axis];
  }
  return strides;
}

bool advance(Shape &index, const Shape &shape) {
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis])
      return true;
    index[axis] = 0;
  }
  return false;
}

std::int64_t offsetOf(const Shape &index, const Shape &strides) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    offset += index[axis] * strides[axis];
  return offset;
}

} // namespace heed::reference
