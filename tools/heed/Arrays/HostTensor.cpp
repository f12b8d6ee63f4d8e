#include "Arrays/HostTensor.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace heed::tools {

using spec::dtype;

namespace {

template <typename T> T loadAs(const void *element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

template <typename T> void storeAs(void *element, T value) { std::memcpy(element, &value, sizeof value); }

/// A binary format with the given width of exponent and fraction, decoded.
double decoded(std::uint32_t bits, int exponentBits, int fractionBits) {
  int exponent = (bits >> fractionBits) & ((1 << exponentBits) - 1);
  std::uint32_t fraction = bits & ((1u << fractionBits) - 1);
  double sign = bits >> (exponentBits + fractionBits) & 1 ? -1 : 1;
  int bias = (1 << (exponentBits - 1)) - 1;
  if (exponent == (1 << exponentBits) - 1)
    return fraction ? std::nan("") : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(fraction, 1 - bias - fractionBits);
  return sign * std::ldexp(fraction + std::ldexp(1.0, fractionBits), exponent - bias - fractionBits);
}

/// The nearest value of the format, ties to even.
std::uint16_t encoded(double value, int exponentBits, int fractionBits) {
  std::uint16_t sign = std::signbit(value) ? 1 << (exponentBits + fractionBits) : 0;
  std::uint16_t infinity = ((1 << exponentBits) - 1) << fractionBits;
  if (value == 0)
    return sign;
  if (std::isnan(value))
    return sign | infinity | 1 << (fractionBits - 1);
  int bias = (1 << (exponentBits - 1)) - 1, exponent = 0;
  double magnitude = std::fabs(value);
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent - 1, 1 - bias);
  if (std::isinf(value) || exponent > bias)
    return sign | infinity;
  // In units of the last place; a carry out of the fraction runs into the exponent, which is right.
  double units = std::nearbyint(std::ldexp(magnitude, fractionBits - exponent));
  auto base = static_cast<std::uint32_t>(exponent + bias - 1) << fractionBits;
  return static_cast<std::uint16_t>(sign | (base + static_cast<std::uint32_t>(units)));
}

} // namespace

std::string typeName(dtype type) {
  static constexpr const char *names[] = {"b8", "i32", "i64", "f16", "bf16", "f32", "f64"};
  return names[static_cast<int>(type)];
}

std::size_t elementSize(dtype type) {
  static constexpr std::size_t sizes[] = {1, 4, 8, 2, 2, 4, 8};
  return sizes[static_cast<int>(type)];
}

bool isFloat(dtype type) { return type >= dtype::f16; }

long double loadElement(dtype type, const void *element) {
  switch (type) {
  case dtype::b8:
    return loadAs<std::uint8_t>(element);
  case dtype::i32:
    return loadAs<std::int32_t>(element);
  case dtype::i64:
    return loadAs<std::int64_t>(element);
  case dtype::f16:
    return decoded(loadAs<std::uint16_t>(element), 5, 10);
  case dtype::bf16:
    return decoded(loadAs<std::uint16_t>(element), 8, 7);
  case dtype::f32:
    return loadAs<float>(element);
  case dtype::f64:
    return loadAs<double>(element);
  }
  return 0;
}

void storeElement(dtype type, void *element, long double value) {
  switch (type) {
  case dtype::b8:
    return storeAs(element, static_cast<std::uint8_t>(value));
  case dtype::i32:
    return storeAs(element, static_cast<std::int32_t>(value));
  case dtype::i64:
    return storeAs(element, static_cast<std::int64_t>(value));
  case dtype::f16:
    return storeAs(element, encoded(static_cast<double>(value), 5, 10));
  case dtype::bf16:
    return storeAs(element, encoded(static_cast<double>(value), 8, 7));
  case dtype::f32:
    return storeAs(element, static_cast<float>(value));
  case dtype::f64:
    return storeAs(element, static_cast<double>(value));
  }
}

HostTensor HostTensor::zeros(dtype type, Shape shape) {
  std::size_t size = reference::elementCount(shape) * elementSize(type);
  return {type, std::move(shape), std::vector<std::byte>(size)};
}

reference::Tensor toReference(const HostTensor &tensor) {
  reference::Tensor result = reference::zeros(tensor.shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    result.elements[i].value = static_cast<double>(tensor.at(i));
  if (tensor.type == dtype::i64)
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      result.integers.push_back(static_cast<std::int64_t>(tensor.at(i)));
  return result;
}

} // namespace heed::tools
