// The safetensors format: what is read, and everything that is refused.
#include "files.hpp"

#include <heed/weights.hpp>

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::test;

namespace {

std::string error_of(const std::string &content) {
  return parse_safetensors(as_bytes(content), "x.st").message();
}

/// One tensor `w` described by `entry`, before `data`.
std::string error_of(const std::string &entry, const std::string &data) {
  return error_of(safetensors("{\"w\": " + entry + "}", data));
}

const char *const of_f32 = R"({"dtype": "F32", "shape": [2], "data_offsets": [0, 8]})";

} // namespace

TEST_CASE("tensors come in the order of their data, metadata are left out") {
  const std::string data = bytes_of<float>({1, 2, 3, 4, 5, 6}) + bytes_of<std::int64_t>({7});
  const std::string file = safetensors(
      R"({"__metadata__": {"a": "b", "c": {"deep": [1, [2]]}},
          "b.second": {"dtype": "I64", "shape": [], "data_offsets": [24, 32]},
          "none": {"dtype": "F16", "shape": [0, 5], "data_offsets": [24, 24]},
          "a.first": {"data_offsets": [0, 24], "shape": [2, 3], "dtype": "F32"}}   )",
      data);
  const auto tensors = parse_safetensors(as_bytes(file), "x.st");
  REQUIRE(tensors.ok());
  REQUIRE(tensors->size() == 3);
  const stored_tensor &first = (*tensors)[0], &none = (*tensors)[1], &second = (*tensors)[2];
  CHECK(first.name == "a.first");
  CHECK(first.file == "x.st");
  CHECK(first.type == HEED_F32);
  CHECK(first.shape == std::vector<std::int64_t>{2, 3});
  CHECK(first.data.size() == 24);
  CHECK(none.data.empty());
  CHECK(second.name == "b.second");
  CHECK(second.shape.empty());
  const auto loaded = load(second);
  REQUIRE(loaded.ok());
  CHECK(*reinterpret_cast<const std::int64_t *>(loaded->data.get()) == 7);
}

TEST_CASE("an empty file of tensors is one") {
  const auto tensors = parse_safetensors(as_bytes(safetensors("{}", "")), "x.st");
  REQUIRE(tensors.ok());
  CHECK(tensors->empty());
}

TEST_CASE("types that no kernel takes do not hide the others") {
  const std::string file = safetensors({{"ids", "U32", {1}, std::string(4, '\0')}, f32("w", {1}, {2})});
  const auto tensors = parse_safetensors(as_bytes(file), "x.st");
  REQUIRE(tensors.ok());
  CHECK_FALSE((*tensors)[0].type.has_value());
  CHECK(std::string(load((*tensors)[0]).message()) ==
        "x.st: ids has type U32, f32 is needed; convert the file");
  CHECK(load((*tensors)[1]).ok());
}

TEST_CASE("lengths that the file does not have are refused") {
  CHECK(error_of("1234") == "x.st: has 4 bytes, a safetensors file begins with the 8 of its header's length");
  CHECK(error_of("\xff\xff\xff\xff\xff\xff\xff\xff{}") ==
        "x.st: its header should have 18446744073709551615 bytes, only 2 follow; this is no safetensors file "
        "or "
        "it is cut short");
  CHECK(error_of(safetensors("", "")) == "x.st: its header does not begin with '{', a JSON object is needed; "
                                         "this is no safetensors file");
  const std::string whole = safetensors(std::string("{\"w\": ") + of_f32 + "}", "12345678");
  CHECK(error_of(whole).empty());
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(error_of(whole.substr(0, size)).empty());
  CHECK(error_of(whole.substr(0, whole.size() - 1)) ==
        "x.st: w lies at 0 to 8, a range within the 7 bytes of data is needed; the file may be cut short");
  CHECK(error_of(whole + "9") == "x.st: holds 9 bytes of data, its tensors need 8; write the file anew");
}

TEST_CASE("entries of another form are refused") {
  const std::string data(8, '\0');
  CHECK(error_of(of_f32, data).empty());
  CHECK(error_of(R"({"dtype": "F32", "shape": [2]})", data) ==
        "x.st: w lacks data_offsets, dtype, shape and data_offsets are needed; write the file anew");
  CHECK(error_of(R"({"dtype": "F33", "shape": [2], "data_offsets": [0, 8]})", data) ==
        "x.st: w has type F33, one of BOOL, U8, I32, I64, F16, BF16, F32 and F64 is needed; convert it");
  CHECK(error_of(R"({"dtype": 4, "shape": [2], "data_offsets": [0, 8]})", data) ==
        "x.st: dtype of w is 4, a string is needed");
  CHECK(error_of(R"({"dtype": "F32", "shape": [-2], "data_offsets": [0, 8]})", data) ==
        "x.st: shape of w is -2, a list of whole numbers is needed");
  CHECK(error_of(R"({"dtype": "F32", "shape": [2.0], "data_offsets": [0, 8]})", data) ==
        "x.st: shape of w is 2.0, a list of whole numbers is needed");
  CHECK(error_of(R"({"dtype": "F32", "shape": [[2]], "data_offsets": [0, 8]})", data) ==
        "x.st: shape of w is a list, a list of whole numbers is needed");
  CHECK(error_of(R"({"dtype": "F32", "shape": 2, "data_offsets": [0, 8]})", data) ==
        "x.st: shape of w is 2, a list of whole numbers is needed");
  CHECK(error_of(R"({"dtype": "F32", "shape": [2], "data_offsets": [0, 8, 9]})", data) ==
        "x.st: w has 3 data_offsets, begin and end are needed; write the file anew");
  CHECK(error_of(R"({"dtype": "F32", "shape": [2], "offsets": [0, 8]})", data) ==
        "x.st: w has a member offsets, dtype, shape and data_offsets are needed");
  CHECK(error_of(R"({"dtype": "F32", "dtype": "F32", "shape": [2], "data_offsets": [0, 8]})", data) ==
        "x.st: w has dtype twice, once is needed; write the file anew");
  CHECK(error_of("[2]", data) == "x.st: w is a list, an object of dtype, shape and data_offsets is needed");
  CHECK(error_of("7", data) == "x.st: w is 7, an object of dtype, shape and data_offsets is needed");
}

TEST_CASE("headers that are no JSON are refused, at any depth") {
  CHECK(error_of("{", "").find("x.st: its header is no JSON from byte") == 0);
  CHECK(error_of(safetensors("{} {}", "")).find("is no JSON") != std::string::npos);
  CHECK(error_of(safetensors("{\"\xff\": 1}", "")).find("is no JSON") != std::string::npos);
  const std::string deep(1000000, '[');
  CHECK_FALSE(error_of(safetensors("{\"__metadata__\": " + deep, "")).empty());
  CHECK_FALSE(error_of(safetensors("{\"w\": " + deep, "")).empty());
}

TEST_CASE("ranges that are out of order, overlap or leave gaps are refused") {
  const auto two = [](const std::string &a, const std::string &b) {
    return error_of(safetensors(R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": )" + a +
                                    R"(}, "b": {"dtype": "U8", "shape": [2], "data_offsets": )" + b + "}}",
                                "12345"));
  };
  CHECK(two("[2, 0]", "[2, 4]") ==
        "x.st: a lies at 2 to 0, a range within the 5 bytes of data is needed; the file may be cut short");
  CHECK(two("[0, 2]", "[1, 3]") ==
        "x.st: b begins at byte 1 of the data, the tensors before it end at 2 and gaps "
        "and overlaps are not allowed; write the file anew");
  CHECK(two("[0, 2]", "[3, 5]") ==
        "x.st: b begins at byte 3 of the data, the tensors before it end at 2 and gaps "
        "and overlaps are not allowed; write the file anew");
  CHECK(two("[0, 2]", "[9223372036854775806, 9223372036854775807]").find("x.st: b lies at") == 0);
  CHECK(two("[0, 2]", "[0, 18446744073709551615]").find("data_offsets of b is 18446744073709551615") !=
        std::string::npos);
}

TEST_CASE("shapes that the data contradict are refused, also beyond 64 bits") {
  const std::string data(8, '\0');
  CHECK(error_of(R"({"dtype": "F32", "shape": [3], "data_offsets": [0, 8]})", data) ==
        "x.st: w has 8 bytes, its shape (3) of F32 needs 12; write the file anew");
  CHECK(
      error_of(R"({"dtype": "F32", "shape": [4294967296, 4294967296, 2], "data_offsets": [0, 8]})", data) ==
      "x.st: w has 8 bytes, its shape (4294967296,4294967296,2) of F32 needs more than 2^63; write the file "
      "anew");
}

TEST_CASE("two tensors of one name are refused") {
  CHECK(error_of(safetensors(std::string("{\"w\": ") + of_f32 + ", \"w\": " + of_f32 + "}", "12345678")) ==
        "x.st: two tensors are named w, every name must be used once; rename one");
}
