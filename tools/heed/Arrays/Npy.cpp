#include "Arrays/Npy.h"

#include "Support/ToolError.h"
#include "heed/weights/npy.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fstream>

namespace heed::tools {

using spec::dtype;

namespace {

std::string_view descrOf(dtype type) {
  switch (type) {
  case dtype::b8:
    return "|b1";
  case dtype::i32:
    return "<i4";
  case dtype::i64:
    return "<i8";
  case dtype::f16:
    return "<f2";
  case dtype::f64:
    return "<f8";
  default:
    return "<f4";
  }
}

} // namespace

HostTensor toHost(const dense_array &array) {
  HostTensor tensor{static_cast<dtype>(array.type), array.shape, {}};
  tensor.bytes.assign(array.data.get(), array.data.get() + array.bytes);
  return tensor;
}

HostTensor readNpy(const std::string &file) {
  result<dense_array> array = read_npy(file);
  if (!array)
    throw ToolError(array.message());
  return toHost(*array);
}

void writeNpy(const std::string &file, const HostTensor &tensor) {
  if (tensor.type == dtype::bf16)
    return writeNpy(file, converted(tensor, dtype::f32, file));
  std::string shape;
  for (std::int64_t extent : tensor.shape)
    shape += fmt::format("{}, ", extent);
  if (tensor.shape.size() > 1)
    shape.resize(shape.size() - 2);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descrOf(tensor.type), shape);
  constexpr std::size_t preamble = 10, alignment = 64;
  text.append(alignment - (preamble + text.size() + 1) % alignment, ' ');
  text += '\n';
  std::ofstream stream(file, std::ios::binary);
  stream << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(text.size() & 255)
         << static_cast<char>(text.size() >> 8) << text;
  stream.write(reinterpret_cast<const char *>(tensor.bytes.data()), tensor.bytes.size());
  stream.close();
  if (!stream)
    throw ToolError(fmt::format("{}: can't be written", file));
}

HostTensor converted(const HostTensor &tensor, dtype type, const std::string &what) {
  if (tensor.type == type)
    return tensor;
  HostTensor result = HostTensor::zeros(type, tensor.shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    long double value = tensor.at(i), limit = type == dtype::i64   ? 0x1p63L
                                              : type == dtype::i32 ? 0x1p31L
                                                                   : 256;
    bool fits = isFloat(type) || (value >= (type == dtype::b8 ? 0 : -limit) && value < limit);
    if (fits)
      result.set(i, value);
    if (fits && (result.at(i) == value || (std::isnan(value) && std::isnan(result.at(i)))))
      continue;
    throw ToolError(
        fmt::format("{}: element {} is {} ({}), which {} can't hold exactly; save the array as {}", what, i,
                    static_cast<double>(value), typeName(tensor.type), typeName(type), typeName(type)));
  }
  return result;
}

} // namespace heed::tools
