/// Every sentence about a single argument, about two that overlap, and about the call itself.

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

using namespace heed::test;

namespace {

/// y (n, 4) = x (n, 4) + 1.
struct fixture {
  fixture() {
    const number n = t.symbol("n"), four = t(4);
    const number x = t.input("x", {n, four}), y = t.output("y", {n, four});
    t.step(
        {{increment,
          {{n, 0, 2}},
          {operand(x, 2, {axis(four, 1), axis(n, 0, 0)}), written(y, 2, {axis(four, 1), axis(n, 0, 0)})}}});
  }
  heed_status call(const heed_view &x, const heed_view &y) { return run(t.program(), {x, y}); }
  void refuses(const heed_view &x, const heed_view &y, const std::string &message) {
    check_refused(call(x, y), HEED_INVALID_ARGUMENT, message);
  }

  table t;
  std::vector<float> in = counting(12);
  guarded out{12};
  heed_view x = heed::view{in.data(), {3, 4}}, y = heed::view{out.data(), {3, 4}};
};

} // namespace

TEST_CASE_METHOD(fixture, "a call does its work and leaves the message alone") {
  const heed_status status = call(x, y);
  CHECK(status.code == HEED_OK);
  CHECK(std::string(status.message) == "untouched");
  for (int i = 0; i < 12; ++i)
    CHECK(out[i] == in[i] + 1);
}

TEST_CASE_METHOD(fixture, "the status may be null") {
  const heed_program program = t.program();
  const heed_view views[] = {x, y};
  CHECK(heed_call(&program, views, nullptr, nullptr) == HEED_OK);
  const heed_view wrong[] = {x, heed::view{out.data(), {2, 4}}};
  CHECK(heed_call(&program, wrong, nullptr, nullptr) == HEED_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(fixture, "program, table version, views and options are checked") {
  heed_status status;
  heed_program program = t.program();
  const heed_view views[] = {x, y};
  heed_call(nullptr, views, nullptr, &status);
  check_refused(status, HEED_INVALID_ARGUMENT,
                "program: it is null, a generated table is needed; pass &heed_program_KERNEL");
  heed_call(&program, nullptr, nullptr, &status);
  check_refused(status, HEED_INVALID_ARGUMENT,
                "kernel: its arguments are null, 2 views are needed; pass an array of them");
  const heed_options options{-2, nullptr, nullptr, nullptr, 0};
  heed_call(&program, views, &options, &status);
  check_refused(status, HEED_INVALID_ARGUMENT,
                "options: threads is -2, 0 or more is needed; use 0 for the default");
  program.version = 7;
  heed_call(&program, views, nullptr, &status);
  check_refused(
      status, HEED_UNSUPPORTED,
      "kernel: its table has version 7, version 5 is needed; link the library and the runtime of the same "
      "heed");
}

TEST_CASE_METHOD(fixture, "null data is refused unless there are no elements") {
  refuses(heed::view{static_cast<float *>(nullptr), {3, 4}}, y,
          "x: its data is null, memory for its elements is needed; pass a pointer to them");
  CHECK(call(heed::view{static_cast<float *>(nullptr), {0, 4}},
             heed::view{static_cast<float *>(nullptr), {0, 4}})
            .code == HEED_OK);
}

TEST_CASE_METHOD(fixture, "element types are compared") {
  std::vector<double> doubles(12);
  refuses(heed::view{doubles.data(), {3, 4}}, y,
          "x: its elements are f64, f32 is needed; convert the tensor to f32");
  x.dtype = 99;
  refuses(x, y, "x: its element type is number 99, f32 is needed; set dtype to a heed_dtype");
}

TEST_CASE_METHOD(fixture, "ranks are compared") {
  refuses(heed::view{in.data(), {12}}, y, "x: it has 1 axes, 2 are needed; pass a tensor of rank 2");
}

TEST_CASE_METHOD(fixture, "negative extents are refused") {
  refuses(heed::view{in.data(), {-3, 4}}, y,
          "x: axis 0 is -3, 0 or more is needed; pass the number of elements along it");
}

TEST_CASE_METHOD(fixture, "an address that no element can have is refused") {
  x.data = reinterpret_cast<char *>(in.data()) + 2;
  const auto past = reinterpret_cast<std::uintptr_t>(x.data) % 64;
  refuses(
      x, y,
      "x: its address is " + std::to_string(past) +
          " past a multiple of 64, a multiple of 4 is needed for f32; pass memory that is aligned for its "
          "elements");
}

TEST_CASE_METHOD(fixture, "any element's address will do") {
  std::vector<float> more = counting(13);
  CHECK(call(heed::view{more.data() + 1, {3, 4}}, y).code == HEED_OK);
  CHECK(out[0] == 2);
  CHECK(out[11] == 13);
}

TEST_CASE_METHOD(fixture, "strides are checked") {
  refuses(heed::view{in.data() + 8, {3, 4}, {-4, 1}}, y,
          "x: the stride of axis 0 is -4, 0 or more is needed; copy the tensor in forward order");
  refuses(heed::view{in.data(), {3, 4}, {1, 3}}, y,
          "x: the stride of the last axis is 3, 1 is needed; copy the tensor so that the last axis is "
          "contiguous");
  refuses(heed::view{in.data(), {3, 4}, {4, 0}}, y,
          "x: the stride of the last axis is 0, 1 is needed; copy the tensor so that the last axis is "
          "contiguous");
  refuses(heed::view{in.data(), {3, 4}, {std::int64_t{1} << 61, 1}}, y,
          "x: its last element is 4611686018427387907 elements from its first, beyond the address space; "
          "pass the "
          "strides of memory that exists");
  refuses(heed::view{in.data(), {3, 4}, {std::int64_t{1} << 62, 1}}, y,
          "x: its last element is 9223372036854775807 elements from its first, beyond the address space; "
          "pass the "
          "strides of memory that exists");
}

TEST_CASE_METHOD(fixture, "an input may repeat rows, an output may not") {
  CHECK(call(heed::view{in.data(), {3, 4}, {0, 1}}, y).code == HEED_OK);
  for (int i = 0; i < 12; ++i)
    CHECK(out[i] == in[i % 4] + 1);
  refuses(
      x, heed::view{out.data(), {3, 4}, {0, 1}},
      "y: strides (0,1) with extents (3,4) make elements share memory, an output needs memory of its own for "
      "each; pass a dense output");
  refuses(
      x, heed::view{out.data(), {3, 4}, {3, 1}},
      "y: strides (3,1) with extents (3,4) make elements share memory, an output needs memory of its own for "
      "each; pass a dense output");
}

TEST_CASE_METHOD(fixture, "the stride of a lone element does not matter") {
  guarded row(4);
  CHECK(call(heed::view{in.data(), {1, 4}, {-7, 1}}, heed::view{row.data(), {1, 4}, {0, 1}}).code == HEED_OK);
  CHECK(row[3] == 4);
}

TEST_CASE_METHOD(fixture, "gaps between rows are neither read nor written") {
  std::vector<float> wide = counting(30);
  guarded spread(30);
  CHECK(call(heed::view{wide.data(), {3, 4}, {10, 1}}, heed::view{spread.data(), {3, 4}, {10, 1}}).code ==
        HEED_OK);
  for (int i = 0; i < 30; ++i)
    if (i % 10 < 4)
      CHECK(spread[i] == wide[i] + 1);
    else
      CHECK(std::isnan(spread[i]));
}

TEST_CASE_METHOD(fixture, "an output must not overlap another argument") {
  std::vector<float> both(20);
  const std::string sentence =
      "y: its memory overlaps that of x, an output needs memory of its own; pass a separate buffer";
  refuses(heed::view{both.data(), {3, 4}}, heed::view{both.data(), {3, 4}}, sentence);
  refuses(heed::view{both.data(), {3, 4}}, heed::view{both.data() + 8, {3, 4}}, sentence);
  refuses(heed::view{both.data() + 8, {3, 4}}, heed::view{both.data(), {3, 4}}, sentence);
  CHECK(call(heed::view{both.data(), {2, 4}}, heed::view{both.data() + 8, {2, 4}}).code == HEED_OK);
  CHECK(call(heed::view{both.data() + 8, {2, 4}}, heed::view{both.data(), {2, 4}}).code == HEED_OK);
}

TEST_CASE_METHOD(fixture, "a long message is cut at its end") {
  table long_name;
  const std::string name(400, 'x');
  long_name.input(name.c_str(), {long_name(4)});
  const heed_status status = run(long_name.program(), {heed::view{in.data(), {3}}});
  CHECK(std::string(status.message) == std::string(HEED_MESSAGE_SIZE - 1, 'x'));
}
