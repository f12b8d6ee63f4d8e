#include "Arrays/Npy.h"

#include "Support/ToolError.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace heed::tools {

using spec::dtype;

namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct Header {
  std::string type;
  bool fortranOrder = false;
  Shape shape;
};

/// Reader of the header's Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }
class HeaderParser {
public:
  HeaderParser(const std::string &file, std::string_view text) : file(file), text(text) {}

  Header parse() {
    Header header;
    expect('{');
    while (!accept('}')) {
      std::string key = quoted();
      expect(':');
      if (key == "descr")
        header.type = quoted();
      else if (key == "fortran_order")
        header.fortranOrder = truth();
      else if (key == "shape")
        header.shape = tuple();
      else
        fail();
      accept(',');
    }
    return header;
  }

private:
  [[noreturn]] void fail() {
    throw ToolError(fmt::format("{}: the .npy header is not understood: {}", file, text));
  }

  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
  }
  bool accept(char c) {
    skipBlanks();
    bool found = at < text.size() && text[at] == c;
    at += found;
    return found;
  }
  void expect(char c) {
    if (!accept(c))
      fail();
  }
  std::string quoted() {
    char quote = accept('"') ? '"' : '\'';
    if (quote == '\'')
      expect('\'');
    std::size_t end = text.find(quote, at);
    if (end == std::string_view::npos)
      fail();
    std::string result(text.substr(at, end - at));
    at = end + 1;
    return result;
  }
  bool truth() {
    skipBlanks();
    bool value = text.substr(at).starts_with("True");
    if (!value && !text.substr(at).starts_with("False"))
      fail();
    at += value ? 4 : 5;
    return value;
  }
  Shape tuple() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      skipBlanks();
      std::int64_t value = 0;
      std::size_t start = at;
      for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && value < INT64_MAX / 16; ++at)
        value = value * 10 + (text[at] - '0');
      if (at == start)
        fail();
      shape.push_back(value);
      accept(',');
    }
    return shape;
  }

  const std::string &file;
  std::string_view text;
  std::size_t at = 0;
};

std::optional<dtype> typeOf(const std::string &descr) {
  if (descr == "|b1" || descr == "|u1" || descr == "<b1" || descr == "<u1")
    return dtype::b8;
  if (descr == "<i4")
    return dtype::i32;
  if (descr == "<i8")
    return dtype::i64;
  if (descr == "<f2")
    return dtype::f16;
  if (descr == "<f4")
    return dtype::f32;
  if (descr == "<f8")
    return dtype::f64;
  return std::nullopt;
}

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

std::string headerText(std::istream &stream, const std::string &file) {
  char start[8];
  if (!stream.read(start, 8) || std::string_view(start, 6) != magic)
    throw ToolError(fmt::format("{}: is not a .npy file", file));
  if (start[6] != 1 && start[6] != 2)
    throw ToolError(
        fmt::format("{}: has .npy format {}.{}, 1.0 or 2.0 is needed", file, int(start[6]), int(start[7])));
  unsigned char length[4] = {};
  stream.read(reinterpret_cast<char *>(length), start[6] == 1 ? 2 : 4);
  std::uint32_t size = length[0] | length[1] << 8 | length[2] << 16 | std::uint32_t{length[3]} << 24;
  constexpr std::uint32_t longest = 1 << 20;
  std::string text(std::min(size, longest), ' ');
  if (size > longest || !stream.read(text.data(), size))
    throw ToolError(fmt::format("{}: ends within its header", file));
  return text;
}

/// Column-major to row-major.
HostTensor inRowMajor(const HostTensor &tensor) {
  HostTensor result = HostTensor::zeros(tensor.type, tensor.shape);
  Shape strides(tensor.shape.size()), index(tensor.shape.size(), 0);
  std::int64_t step = 1;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    strides[axis] = step;
    step *= tensor.shape[axis];
  }
  std::size_t size = elementSize(tensor.type);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    std::memcpy(&result.bytes[i * size], &tensor.bytes[reference::offsetOf(index, strides) * size], size);
    reference::advance(index, tensor.shape);
  }
  return result;
}

} // namespace

HostTensor readNpy(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw ToolError(fmt::format("{}: can't be read", file));
  std::string text = headerText(stream, file);
  Header header = HeaderParser(file, text).parse();
  std::optional<dtype> type = typeOf(header.type);
  if (!type)
    throw ToolError(fmt::format("{}: has type '{}'; b1, u1, i4, i8, f2, f4 or f8 in little endian is needed",
                                file, header.type));
  std::streampos start = stream.tellg();
  stream.seekg(0, std::ios::end);
  auto available = static_cast<std::uint64_t>(stream.tellg() - start);
  stream.seekg(start);
  unsigned __int128 needed = elementSize(*type);
  for (std::int64_t extent : header.shape) {
    needed *= extent;
    if (needed > UINT64_MAX)
      break;
  }
  if (needed != available)
    throw ToolError(
        fmt::format("{}: holds {} bytes of data, its shape {} needs {}", file, available,
                    reference::shapeText(header.shape),
                    needed > UINT64_MAX ? "more than 2^64" : std::to_string(std::uint64_t(needed))));
  HostTensor tensor = HostTensor::zeros(*type, header.shape);
  if (!stream.read(reinterpret_cast<char *>(tensor.bytes.data()), tensor.bytes.size()))
    throw ToolError(fmt::format("{}: can't be read", file));
  return header.fortranOrder && header.shape.size() > 1 ? inRowMajor(tensor) : tensor;
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
  stream << magic << '\x01' << '\0' << static_cast<char>(text.size() & 255)
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
