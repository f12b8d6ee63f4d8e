//===- HostTensor.h - Dense arrays of any element type ----------*- C++ -*-===//
///
/// \file
/// Element types by name and size, the conversion of single elements, and dense arrays: what .npy files hold
/// and what the reference evaluator is fed with.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_HOSTTENSOR_H
#define HEED_TOOLS_HOSTTENSOR_H

#include "Reference/Tensor.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heed::tools {

using reference::Shape;

/// "b8", "i32", "f32", …
std::string typeName(spec::dtype type);
std::size_t elementSize(spec::dtype type);
bool isFloat(spec::dtype type);

/// Reads one element; long double holds every value of every type exactly.
long double loadElement(spec::dtype type, const void *element);

/// Writes one element, rounded to nearest where the type can't hold the value.
void storeElement(spec::dtype type, void *element, long double value);

/// Dense, row-major.
struct HostTensor {
  spec::dtype type = spec::dtype::f32;
  Shape shape;
  std::vector<std::byte> bytes;

  static HostTensor zeros(spec::dtype type, Shape shape);
  std::int64_t size() const { return reference::elementCount(shape); }
  long double at(std::int64_t i) const { return loadElement(type, &bytes[i * elementSize(type)]); }
  void set(std::int64_t i, long double value) { storeElement(type, &bytes[i * elementSize(type)], value); }
};

/// The same values as exact reference numbers.
reference::Tensor toReference(const HostTensor &tensor);

} // namespace heed::tools

#endif // HEED_TOOLS_HOSTTENSOR_H
