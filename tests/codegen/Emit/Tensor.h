//===- Tensor.h - Memory with guards around it ------------------*- C++ -*-===//
///
/// \file
/// A tensor whose surroundings are poison: NaN in floating point, all bits set otherwise. Reading them spoils
/// a result, writing them is found by `guardsIntact`.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_CODEGEN_EMIT_TENSOR_H
#define HEED_TESTS_CODEGEN_EMIT_TENSOR_H

#include "heed/abi.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace heed {

using Index = std::vector<int64_t>;

template <typename T> constexpr heed_dtype dtypeOf() {
  if constexpr (std::is_same_v<T, float>)
    return HEED_F32;
  else if constexpr (std::is_same_v<T, int32_t>)
    return HEED_I32;
  else
    return HEED_B8;
}

template <typename T> class Tensor {
public:
  explicit Tensor(Index extents) : shape(std::move(extents)), strides(shape.size()) {
    int64_t size = 1;
    for (size_t axis = shape.size(); axis-- > 0; size *= shape[axis])
      strides[axis] = size;
    memory.assign(size + 2 * guard, poison());
  }

  /// Small numbers that differ from element to element, the same in every run.
  static Tensor random(Index extents, unsigned seed, double low = -1, double high = 1) {
    Tensor tensor(std::move(extents));
    std::mt19937 generator(seed);
    for (T &element : tensor)
      element = T(low + (high - low) * (generator() / 4294967296.0));
    return tensor;
  }

  T *begin() { return memory.data() + guard; }
  T *end() { return memory.data() + memory.size() - guard; }

  /// Broadcast: along an axis of extent 1 every index is 0, and leading indices too many are left out.
  double at(const Index &index) const {
    int64_t offset = guard;
    for (size_t axis = 0; axis < shape.size(); ++axis)
      offset += shape[axis] == 1 ? 0 : index[index.size() - shape.size() + axis] * strides[axis];
    return double(memory[offset]);
  }

  heed_view view() {
    heed_view view{begin(), dtypeOf<T>(), int32_t(shape.size()), {}, {}, HEED_MEMORY_HOST, 0};
    std::copy(shape.begin(), shape.end(), view.extents);
    std::copy(strides.begin(), strides.end(), view.strides);
    return view;
  }

  bool guardsIntact() const {
    auto intact = [](const T &element) {
      T expected = poison();
      return std::memcmp(&element, &expected, sizeof(T)) == 0;
    };
    return std::all_of(memory.begin(), memory.begin() + guard, intact) &&
           std::all_of(memory.end() - guard, memory.end(), intact);
  }

  Index shape, strides;

private:
  static constexpr int64_t guard = 67;
  static T poison() {
    if constexpr (std::is_floating_point_v<T>)
      return std::numeric_limits<T>::quiet_NaN();
    else
      return T(-1);
  }
  std::vector<T> memory;
};

/// Calls f at every index of a shape.
template <typename F> void forEachIndex(const Index &shape, F f) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return;
  Index index(shape.size(), 0);
  while (true) {
    f(index);
    size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1])
      index[--axis] = 0;
    if (axis == 0)
      return;
  }
}

/// The largest |y - expected| / max(1, |expected|); infinite for a NaN where none is expected.
template <typename F> double largestDifference(const Tensor<float> &y, F expected) {
  double largest = 0;
  forEachIndex(y.shape, [&](const Index &index) {
    double want = expected(index), have = y.at(index);
    double difference = std::fabs(have - want) / std::max(1.0, std::fabs(want));
    largest =
        std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(largest, difference);
  });
  return largest;
}

} // namespace heed

#endif // HEED_TESTS_CODEGEN_EMIT_TENSOR_H
