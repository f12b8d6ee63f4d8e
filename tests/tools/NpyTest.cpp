// .npy files: round trips, what NumPy writes, and what is refused.
#include "Arrays/Npy.h"
#include "Support/Process.h"
#include "Support/ToolError.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <limits>

using namespace heed::tools;
using heed::spec::dtype;

namespace {

HostTensor tensorOf(dtype type, Shape shape, const std::vector<double> &values) {
  HostTensor tensor = HostTensor::zeros(type, shape);
  for (std::size_t i = 0; i < values.size(); ++i)
    tensor.set(static_cast<std::int64_t>(i), values[i]);
  return tensor;
}

struct File {
  TemporaryDirectory directory;
  std::string name = (directory.path() / "x.npy").string();

  void write(const std::string &header, const std::string &data, char version = 1) const {
    std::ofstream stream(name, std::ios::binary);
    stream << "\x93NUMPY" << version << '\0' << char(header.size() & 255) << char(header.size() >> 8);
    if (version == 2)
      stream << '\0' << '\0';
    stream << header << data;
  }
};

std::string errorOf(const std::string &file) {
  try {
    readNpy(file);
  } catch (const ToolError &error) {
    std::string text = error.what();
    return text.substr(file.size());
  }
  return "none";
}

} // namespace

TEST_CASE("every type survives a round trip") {
  File file;
  for (dtype type : {dtype::b8, dtype::i32, dtype::i64, dtype::f16, dtype::f32, dtype::f64}) {
    for (Shape shape : {Shape{}, Shape{6}, Shape{2, 3}, Shape{1, 2, 3}, Shape{3, 0}}) {
      HostTensor tensor = tensorOf(type, shape, {});
      for (std::int64_t i = 0; i < tensor.size(); ++i)
        tensor.set(i, static_cast<long double>(i % 2));
      writeNpy(file.name, tensor);
      HostTensor back = readNpy(file.name);
      CHECK(back.type == type);
      CHECK(back.shape == shape);
      CHECK(back.bytes == tensor.bytes);
    }
  }
}

TEST_CASE("data begin at a multiple of 64 bytes, as NumPy has it") {
  File file;
  writeNpy(file.name, tensorOf(dtype::f32, {2}, {1, 2}));
  std::ifstream stream(file.name, std::ios::binary | std::ios::ate);
  CHECK((static_cast<long>(stream.tellg()) - 8) % 64 == 0);
}

TEST_CASE("Fortran order and format 2.0 are read") {
  File file;
  std::string data("\x01\x02\x03\x04\x05\x06", 6);
  file.write("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", data, 2);
  HostTensor tensor = readNpy(file.name);
  CHECK(tensor.shape == Shape{2, 3});
  std::vector<double> values;
  for (int i = 0; i < 6; ++i)
    values.push_back(static_cast<double>(tensor.at(i)));
  CHECK(values == std::vector<double>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("files that cannot be read are refused by name") {
  File file;
  CHECK(errorOf(file.name) == ": can't be read: No such file or directory");
  std::ofstream(file.name) << "something else altogether";
  CHECK(errorOf(file.name) == ": is not a .npy file");
  file.write("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "abcd");
  CHECK(errorOf(file.name) == ": has type '>f4'; b1, u1, i4, i8, f2, f4 or f8 in little endian is needed");
  file.write("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd");
  CHECK(errorOf(file.name) == ": holds 4 bytes of data, its shape (2) needs 8");
  file.write("{'descr': '<f4', 'fortran_order': False, 'shape': (9000000000000, 9000000000000), }", "abcd");
  CHECK(errorOf(file.name).find("more than 2^63") != std::string::npos);
  file.write("{'descr': '<f4', 'shape' (2,), }", "abcd");
  CHECK(errorOf(file.name).find("is not understood") != std::string::npos);
}

TEST_CASE("conversion happens only where it is exact") {
  CHECK(converted(tensorOf(dtype::f16, {2}, {0.5, -2}), dtype::f32, "x").at(1) == -2);
  CHECK(converted(tensorOf(dtype::i64, {1}, {16777216}), dtype::f32, "x").at(0) == 16777216);
  CHECK(converted(tensorOf(dtype::f32, {2}, {0, 1}), dtype::b8, "x").at(1) == 1);
  CHECK(std::isnan(converted(tensorOf(dtype::f64, {1}, {std::nan("")}), dtype::f32, "x").at(0)));
  CHECK_THROWS_WITH(converted(tensorOf(dtype::f64, {2}, {1, 0.1}), dtype::f32, "x.npy"),
                    "x.npy: element 1 is 0.1 (f64), which f32 can't hold exactly; save the array as f32");
  CHECK_THROWS_AS(converted(tensorOf(dtype::i64, {1}, {16777217}), dtype::f32, "x"), ToolError);
  CHECK_THROWS_AS(converted(tensorOf(dtype::f32, {1}, {0.5}), dtype::b8, "x"), ToolError);
  CHECK_THROWS_AS(converted(tensorOf(dtype::f64, {1}, {1e300}), dtype::i64, "x"), ToolError);
  CHECK_THROWS_AS(converted(tensorOf(dtype::f32, {1}, {-1}), dtype::b8, "x"), ToolError);
}

TEST_CASE("half-precision elements are rounded to nearest, ties to even") {
  auto through = [](dtype type, double value) {
    HostTensor tensor = tensorOf(type, {1}, {value});
    return static_cast<double>(tensor.at(0));
  };
  CHECK(through(dtype::f16, 65504) == 65504);
  CHECK(through(dtype::f16, 65519) == 65504);
  CHECK(through(dtype::f16, 65520) == std::numeric_limits<double>::infinity());
  CHECK(through(dtype::f16, 0x1p-24) == 0x1p-24);
  CHECK(through(dtype::f16, 0x1p-26) == 0);
  CHECK(through(dtype::f16, 1 + 0x1p-11) == 1);
  CHECK(through(dtype::f16, 1 + 3 * 0x1p-11) == 1 + 0x1p-9);
  CHECK(through(dtype::bf16, 1 + 0x1p-8) == 1);
  CHECK(through(dtype::bf16, -3.0e38) == Approx(-3.0e38).epsilon(0.01));
  CHECK(std::isnan(through(dtype::bf16, std::nan(""))));
  CHECK(through(dtype::f16, 0) == 0);
  CHECK(through(dtype::bf16, 0) == 0);
  CHECK(std::signbit(through(dtype::bf16, -0.0)));
}
