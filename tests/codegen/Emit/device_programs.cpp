// Programs for devices in the driver and the headers.

#include "Emit/WriteDriver.h"
#include "Emit/WriteHeader.h"

#include "catch2/catch.hpp"
#include "llvm/ADT/StringRef.h"

using namespace heed;
using namespace heed::program;

namespace {

Program kernelFor(heed_device_api device) {
  Program result;
  result.name = "kernel";
  result.level = HEED_CPU_X86_64_V3;
  result.device = device;
  return result;
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a chain leads from the device's program to the CPU's") {
  std::string text = writeDriver(ProgramsOfKernel{kernelFor(HEED_DEVICE_CUDA), kernelFor(HEED_DEVICE_OPENCL),
                                                  kernelFor(HEED_DEVICE_NONE)});
  CHECK(has(text, "// ---- kernel, x86-64-v3\n"));
  CHECK(has(text, "// ---- kernel, x86-64-v3-opencl\n"));
  CHECK(has(text, "// ---- kernel, x86-64-v3-cuda\n"));
  CHECK(has(text, "    .cpu_level = HEED_CPU_X86_64_V3,\n    .otherwise = &kernel_x86_64_v3_opencl_program,\n"
                  "    .device_api = HEED_DEVICE_CUDA,\n};\n"));
  CHECK(
      has(text, "    .otherwise = &kernel_x86_64_v3_program,\n    .device_api = HEED_DEVICE_OPENCL,\n};\n"));
  CHECK(!has(text, "HEED_DEVICE_NONE"));
}

TEST_CASE("headers say what a call on a device does") {
  Program cpu = kernelFor(HEED_DEVICE_NONE);
  for (auto write : {writeHeader, writeCHeader}) {
    CHECK(has(write("lib", kernelFor(HEED_DEVICE_OPENCL)), "// Kernels are compiled for a device (OpenCL)."));
    CHECK(!has(write("lib", cpu), "device"));
  }
}
