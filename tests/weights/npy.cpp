// .npy files: formats, orders, and what is refused.
#include "files.hpp"

#include <heed/weights.hpp>

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::test;

namespace {

std::string error_of(const std::string &content) { return parse_npy(as_bytes(content), "d/x.npy").message(); }

std::vector<int> loaded_bytes(const std::string &content) {
  const auto tensor = parse_npy(as_bytes(content), "x.npy");
  REQUIRE(tensor.ok());
  const auto array = load(*tensor);
  REQUIRE(array.ok());
  std::vector<int> values;
  for (std::size_t i = 0; i < array->bytes; ++i)
    values.push_back(static_cast<int>(array->data.get()[i]));
  return values;
}

} // namespace

TEST_CASE("formats 1, 2 and 3, C and Fortran order") {
  const std::string data("\x01\x02\x03\x04\x05\x06", 6);
  const std::string c = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n";
  const std::string fortran = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n";
  for (const char version : {1, 2, 3}) {
    CHECK(loaded_bytes(npy(c, data, version)) == std::vector{1, 2, 3, 4, 5, 6});
    CHECK(loaded_bytes(npy(fortran, data, version)) == std::vector{1, 3, 5, 2, 4, 6});
  }
}

TEST_CASE("three axes in Fortran order") {
  std::string data;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        data += static_cast<char>((i * 3 + j) * 4 + k);
  const std::vector<int> found =
      loaded_bytes(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }", data));
  for (int i = 0; i < 24; ++i)
    CHECK(found[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("a name is the file's, a type the header's") {
  const std::string file = npy_f32({2}, {1, 2});
  const auto tensor = parse_npy(as_bytes(file), "folder/layers.0.w_q.npy");
  REQUIRE(tensor.ok());
  CHECK(tensor->name == "layers.0.w_q");
  CHECK(tensor->type_name == "<f4");
  CHECK(tensor->type == HEED_F32);
  CHECK(tensor->shape == std::vector<std::int64_t>{2});
}

TEST_CASE("arrays without elements or axes") {
  CHECK(loaded_bytes(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (), }", "\x01")) ==
        std::vector{1});
  CHECK(loaded_bytes(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 0), }", "")).empty());
}

TEST_CASE("files that are no arrays of known types are refused") {
  CHECK(error_of("") == "d/x.npy: is not a .npy file");
  CHECK(error_of("something else altogether") == "d/x.npy: is not a .npy file");
  CHECK(error_of(npy("", "", 4)) ==
        "d/x.npy: has .npy format 4.0, 1.0, 2.0 or 3.0 is needed; save the array with numpy.save");
  CHECK(error_of(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "abcd")) ==
        "d/x.npy: has type '>f4'; b1, u1, i4, i8, f2, f4 or f8 in little endian is needed");
  CHECK(error_of(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd")) ==
        "d/x.npy: holds 4 bytes of data, its shape (2) needs 8");
  CHECK(error_of(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9000000000000, 9000000000000), }",
                     "abcd"))
            .find("needs more than 2^63") != std::string::npos);
}

TEST_CASE("headers that are cut short or not understood are refused") {
  for (const char *header :
       {"", "{", "{'descr'", "{'descr': '<f4', 'shape' (2,), }", "{'descr': '<f4', 'shape': (2,), }",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,), }",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': True, 'shape': (2,), }",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (99999999999999999999,), }",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (-1,), }"})
    CHECK(error_of(npy(header, "abcdefgh")).find("is not understood") != std::string::npos);
  const std::string whole = npy_f32({2}, {1, 2});
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(error_of(whole.substr(0, size)).empty());
}
