// What a device function is: the host's code without a runtime of Halide's, and sources for every interface.

#include "Device/DeviceFunction.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace Halide;
using namespace heed::kernels;

namespace {

DeviceTarget target(DeviceAPI api) { return deviceTarget(api, hostTarget()); }

/// y(x, tile) = 2 x(x, tile) + scalar, for elements of a type.
DeviceFunction twice(const Type &type, bool atRoot = false) {
  DeviceOperand input(type, 1, 1, "input");
  Param<int32_t> scalar("scalar");
  Var x("x"), tile("tile"), block("block"), thread("thread");
  const Type computed = type == Float(64) ? type : Float(32);
  Func result(type == Float(64) ? "y64" : "y"), first("first");
  first(x, tile) = cast(computed, input({x}, {tile})) * Internal::make_const(computed, 2);
  if (atRoot)
    first.compute_root().gpu_tile(x, block, thread, 32);
  result(x, tile) = cast(type, first(x, tile) + cast(computed, scalar));
  result.output_buffer().dim(0).set_min(0).dim(1).set_min(0);
  result.split(x, block, thread, 32, TailStrategy::GuardWithIf).gpu_blocks(block, tile).gpu_threads(thread);
  return {.name = "twice",
          .pipeline = Pipeline(result),
          .arguments = {scalar, input.image},
          .operands = {"input", result.name()}};
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("A device function calls heed's runtime alone") {
  for (DeviceAPI api : {DeviceAPI::OpenCL, DeviceAPI::CUDA, DeviceAPI::Vulkan, DeviceAPI::Metal}) {
    INFO(int(api));
    std::vector<std::string> symbols =
        undefinedSymbols(compile(twice(Float(32)), target(api), DeviceForm::Object));
    std::sort(symbols.begin(), symbols.end());
    CHECK(symbols == std::vector<std::string>{"heed_device_load", "heed_device_run"});
  }
}

TEST_CASE("A device function's source is what the driver gets") {
  CHECK(contains(compile(twice(Float(32)), target(DeviceAPI::OpenCL), DeviceForm::Source), "__kernel void"));
  CHECK(contains(compile(twice(Float(32)), target(DeviceAPI::CUDA), DeviceForm::Source), ".target sm_80"));
  CHECK(contains(compile(twice(Float(32)), target(DeviceAPI::Metal), DeviceForm::Source), "metal_stdlib"));
  CHECK(contains(compile(twice(Float(32)), target(DeviceAPI::Vulkan), DeviceForm::Source),
                 std::string("\x03\x02\x23\x07", 4)));
}

TEST_CASE("Operands begin where an offset says") {
  const DeviceFunction function = twice(Float(32));
  const std::string text = compile(function, target(DeviceAPI::OpenCL), DeviceForm::Statement);
  for (const std::string &operand : function.operands)
    CHECK(contains(text, " + " + operand + "_offset"));
  CHECK_FALSE(contains(text, "halide_copy_to_device"));
}

TEST_CASE("Halves are integers of 16 bits on every device") {
  for (const Type &type : {Float(16), BFloat(16)}) {
    const std::string source = compile(twice(type), target(DeviceAPI::OpenCL), DeviceForm::Source);
    CHECK(contains(source, "ushort"));
    CHECK_FALSE(contains(source, "half"));
    CHECK_FALSE(contains(compile(twice(type), target(DeviceAPI::CUDA), DeviceForm::Source), "f16"));
  }
}

TEST_CASE("What would be allocated on the device is refused") {
  CHECK_THROWS_WITH(compile(twice(Float(32), /*atRoot=*/true), target(DeviceAPI::OpenCL), DeviceForm::Object),
                    Catch::Contains("compute everything inside the kernel"));
}

TEST_CASE("Numbers wider than a device has are refused") {
  for (const Type &type : {Float(64), Int(64)})
    CHECK_THROWS_WITH(compile(twice(type), target(DeviceAPI::Metal), DeviceForm::Source),
                      Catch::Contains("numbers of at most 32 bits are needed"));
}

TEST_CASE("The source begins with what blocks of each kernel are") {
  for (DeviceAPI api : {DeviceAPI::OpenCL, DeviceAPI::CUDA, DeviceAPI::Metal}) {
    const std::string source = compile(twice(Float(32)), target(api), DeviceForm::Source);
    CHECK(contains(source.substr(0, source.find('\n')),
                   ": 32 x 1 x 1 threads a block, 0 bytes of shared memory"));
  }
}

TEST_CASE("A launch that gives an operand other axes is an error, not an access") {
  CHECK(contains(compile(twice(Float(32)), target(DeviceAPI::OpenCL), DeviceForm::Statement), "assert"));
}
