/// Views of DLPack tensors; those that can't be viewed are refused by the call, in words.

#include <heed/dlpack.hpp>

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

using namespace heed::test;

namespace {

struct fixture {
  fixture() {
    const number n = t.symbol("n"), three = t(3);
    const number x = t.input("x", {n, three}), y = t.output("y", {n, three});
    t.step(
        {{increment,
          {{n, 0, 2}},
          {operand(x, 2, {axis(three, 1), axis(n, 0, 0)}), written(y, 2, {axis(three, 1), axis(n, 0, 0)})}}});
  }
  heed_status call() {
    return run(t.program(), {heed::from_dlpack<const float, 2>(tensor), heed::view{out.data(), {2, 3}}});
  }

  table t;
  std::vector<float> in = counting(20);
  guarded out{6};
  std::int64_t shape[2] = {2, 3}, strides[2] = {5, 1};
  DLTensor tensor{in.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0};
};

} // namespace

TEST_CASE_METHOD(fixture, "a dense tensor, a strided one, one behind an offset") {
  CHECK(call().code == HEED_OK);
  CHECK(out[3] == 4);
  tensor.strides = strides;
  CHECK(call().code == HEED_OK);
  CHECK(out[3] == 6);
  tensor.byte_offset = 8;
  CHECK(call().code == HEED_OK);
  CHECK(out[3] == 8);
}

TEST_CASE_METHOD(fixture, "another device") {
  tensor.device.device_type = kDLMetal;
  check_refused(call(), HEED_INVALID_ARGUMENT,
                "x: its memory is on a device of DLPack type 8, CPU memory is needed; copy the tensor to the "
                "CPU first");
  tensor.device.device_type = kDLCUDA;
  check_refused(
      call(), HEED_INVALID_ARGUMENT,
      "x: its memory is of CUDA, CPU memory is needed; copy the tensor to the CPU, or compile for the "
      "device");
  tensor.device.device_type = kDLOpenCL;
  check_refused(
      call(), HEED_INVALID_ARGUMENT,
      "x: its memory is of OpenCL, CPU memory is needed; copy the tensor to the CPU, or compile for the "
      "device");
  tensor.device.device_type = kDLCUDAHost;
  CHECK(call().code == HEED_OK);
}

TEST_CASE_METHOD(fixture, "another element type") {
  tensor.dtype.bits = 64;
  check_refused(call(), HEED_INVALID_ARGUMENT,
                "x: its elements are f64, f32 is needed; convert the tensor to f32");
  tensor.dtype = {kDLInt, 16, 1};
  check_refused(call(), HEED_INVALID_ARGUMENT,
                "x: its DLPack type has code 0, 16 bits, 1 lanes, f32 is needed; convert the tensor to f32");
  tensor.dtype = {kDLFloat, 32, 4};
  check_refused(call(), HEED_INVALID_ARGUMENT,
                "x: its DLPack type has code 2, 32 bits, 4 lanes, f32 is needed; convert the tensor to f32");
  tensor.dtype = {kDLFloat, 32, 0xffff};
  check_refused(
      call(), HEED_INVALID_ARGUMENT,
      "x: its DLPack type has code 2, 32 bits, 65535 lanes, f32 is needed; convert the tensor to f32");
}

TEST_CASE_METHOD(fixture, "another rank") {
  std::int64_t many[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  tensor.shape = many;
  tensor.ndim = 8;
  check_refused(call(), HEED_INVALID_ARGUMENT, "x: it has 8 axes, 2 are needed; pass a tensor of rank 2");
  tensor.ndim = 1;
  check_refused(call(), HEED_INVALID_ARGUMENT, "x: it has 1 axes, 2 are needed; pass a tensor of rank 2");
}

TEST_CASE("every element type comes over") {
  float memory[2] = {};
  std::int64_t shape[1] = {1};
  DLTensor tensor{memory, {kDLCPU, 0}, 1, {}, shape, nullptr, 0};
  const auto type = [&](int code, int bits) {
    tensor.dtype = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
    return heed::from_dlpack(tensor).dtype;
  };
  CHECK(type(kDLUInt, 8) == HEED_B8);
  CHECK(type(6, 8) == HEED_B8);
  CHECK(type(kDLInt, 32) == HEED_I32);
  CHECK(type(kDLInt, 64) == HEED_I64);
  CHECK(type(kDLFloat, 16) == HEED_F16);
  CHECK(type(kDLBfloat, 16) == HEED_BF16);
  CHECK(type(kDLFloat, 32) == HEED_F32);
  CHECK(type(kDLFloat, 64) == HEED_F64);
  CHECK(type(kDLInt, 8) == HEED_FAULT_TYPE);
  CHECK(type(kDLFloat, 8) == HEED_FAULT_TYPE);
}
