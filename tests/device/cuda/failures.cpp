// What CUDA's driver may refuse: a status in words, nothing left behind, and the next call goes well.
#include "CudaKernels.h"

#include "heed/device.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed::tests;

namespace {

constexpr int outOfMemory = 2, unknown = 999, illegalAddress = 700;

int codeOf(const heed_device &device, const std::vector<Array> &arguments, std::string &message) {
  std::vector<HostArray> hosts(arguments.begin(), arguments.end());
  hosts.emplace_back(Array::filled(arguments[0].shape(), NAN));
  std::vector<heed_view> views;
  for (HostArray &host : hosts)
    views.push_back(host.view());
  const heed_options options{0, nullptr, nullptr, &device, 0};
  heed_status status{};
  const int code = heed_call(cudaKernels().library().program("block"), views.data(), &options, &status);
  message = status.message;
  return code;
}

} // namespace

TEST_CASE("cuda: what the driver refuses gives words and leaves nothing") {
  const CheckedDriver driver;
  const std::string function =
      GENERATE("cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent",
               "cuCtxGetDevice", "cuMemAlloc", "cuMemcpyHtoDAsync", "cuModuleLoadDataEx",
               "cuModuleGetFunction", "cuLaunchKernel", "cuMemcpyDtoHAsync", "cuStreamSynchronize");
  const int after = GENERATE(0, 2), result = GENERATE(outOfMemory, unknown);
  const std::vector<Array> arguments = blockArguments(1, 9);
  const Array expected = blockResult(arguments);
  driver.fail(function.c_str(), after, result);
  std::string message;
  const int code = codeOf(runtimesCuda, arguments, message);
  INFO(function << " after " << after << ": " << message);
  CHECK(driver.misuses() == "");
  if (code) {
    CHECK((code == HEED_UNSUPPORTED || code == HEED_OUT_OF_MEMORY));
    CHECK(message.find("; ") != std::string::npos);
    if (result == outOfMemory || function == "cuMemAlloc")
      CHECK(code == HEED_OUT_OF_MEMORY);
    else
      CHECK(message.find("cuda: " + function + " returned 999 (CUDA_ERROR_999), 0 is needed; ") == 0);
  } else {
    CHECK(after > 0); // there are fewer calls of it
  }
  driver.clear();
  heed_device_forget(&runtimesCuda); // which remembers that a device could not be opened
  CHECK(callBlock(runtimesCuda, arguments, expected) == "");
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: a kernel that fails is named as the reason of later failures") {
  const CheckedDriver driver;
  const std::vector<Array> arguments = blockArguments(1, 9);
  const Array expected = blockResult(arguments);
  REQUIRE(callBlock(runtimesCuda, arguments, expected) == "");
  driver.fail("cuStreamSynchronize", 0, illegalAddress);
  std::string message;
  CHECK(codeOf(runtimesCuda, arguments, message) == HEED_UNSUPPORTED);
  driver.clear();
  const int64_t tokens = GENERATE(9, 400); // more would need new memory
  CHECK(codeOf(runtimesCuda, blockArguments(1, tokens), message) == HEED_UNSUPPORTED);
  INFO(message);
  CHECK(message.find("returned 700 (CUDA_ERROR_700), 0 is needed; a kernel failed before") !=
        std::string::npos);
  heed_device_forget(&runtimesCuda);
  CHECK(callBlock(runtimesCuda, arguments, expected) == "");
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: a device that shares too little memory is refused in words") {
  const CheckedDriver driver;
  driver.setDevices(1, 1024);
  std::string message;
  CHECK(codeOf(runtimesCuda, blockArguments(2, 40), message) == HEED_UNSUPPORTED);
  INFO(message);
  CHECK(message.find(
            " bytes, at most 1024 are needed on Checking device 0; choose a schedule of smaller blocks") !=
        std::string::npos);
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: without a device the CPU runs a kernel where that is allowed") {
  const CheckedDriver driver;
  driver.setDevices(0, 1024);
  const Array x = Array::random({3, 5}, 1);
  const heed_options forbidden{}, allowed{0, nullptr, nullptr, nullptr, true};
  CHECK_THROWS_WITH(
      cudaKernels()(cudaDoubled, {x}, &forbidden),
      Catch::Contains("cuda: no device was found, one is needed; install a driver, or compile for "
                      "the CPU, too, and set options.allow_cpu"));
  const Array y = cudaKernels()(cudaDoubled, {x}, &allowed);
  CHECK(y.at({2, 4}) == 2 * x.at({2, 4}));
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: devices and streams that don't fit are refused in words") {
  const CheckedDriver driver;
  {
    const CheckedCuda cuda, other;
    const std::vector<Array> arguments = blockArguments(2, 7);
    std::string message;
    CHECK(codeOf({HEED_DEVICE_CUDA, 5, nullptr, nullptr}, arguments, message) == HEED_UNSUPPORTED);
    CHECK(message.find("cuda: there is no device 5, a number below 1 is needed; ") == 0);
    void *const perThread = reinterpret_cast<void *>(2);
    CHECK(codeOf({HEED_DEVICE_CUDA, 0, cuda.context, perThread}, arguments, message) ==
          HEED_INVALID_ARGUMENT);
    CHECK(message.find("options: queue of device is CU_STREAM_PER_THREAD, ") == 0);
    CHECK(driver.misuses() == "");
    const heed_device mixed{HEED_DEVICE_CUDA, 0, cuda.context, other.stream};
    CHECK(codeOf(mixed, arguments, message) == HEED_UNSUPPORTED);
    CHECK(message.find("; pass a context that exists, and a stream of it") != std::string::npos);
    heed_device_forget(&mixed);
    driver.clear(); // the caller's misuse
  }
  CHECK(driver.leftovers() == "");
}
