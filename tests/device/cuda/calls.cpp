// Calls on CUDA's driver, or one that checks them: where arguments lie, whose context and stream it is, what
// is left.
#include "CudaKernels.h"

#include "heed/device.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <thread>

using namespace heed::tests;

TEST_CASE("cuda: arguments of the host are brought to the runtime's device and back") {
  const CheckedDriver driver;
  const std::vector<Array> arguments = blockArguments(2, GENERATE(1, 7, 150));
  REQUIRE(callBlock(runtimesCuda, arguments, blockResult(arguments)) == "");
  CHECK(driver.launches().size() > 1);
  for (const CheckingCudaLaunch &launch : driver.launches())
    CHECK(launch.stream == nullptr);
  for (const Array &argument : arguments)
    CHECK(driver.wasPassed(argument));
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: views with gaps are packed") {
  const CheckedDriver driver;
  Array x = Array::random({3, 9}, 1), dense = x.slice(1, 0, 5);
  HostArray wide(x), y(Array::filled({3, 9}, NAN));
  auto narrow = [](heed_view view) {
    view.extents[1] = 5;
    return view;
  };
  REQUIRE(callOn(cudaDoubled, {narrow(wide.view()), narrow(y.view())}, runtimesCuda) == "");
  CHECK(driver.wasPassed(dense));
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 9; ++j)
      CHECK((j < 5 ? y.read().at({i, j}) == 2 * x.at({i, j}) : std::isnan(y.read().at({i, j}))));
  CHECK(driver.leftovers() == "");
}

TEST_CASE(
    "cuda: arguments of the device are used in place, in the caller's context and stream, without waiting") {
  const CheckedDriver driver;
  {
    const CheckedCuda cuda;
    const bool byDefault = GENERATE(false, true);
    const heed_device device = byDefault ? cuda.deviceByDefault() : cuda.device();
    const std::vector<Array> arguments = blockArguments(2, 40);
    std::vector<std::unique_ptr<CudaArray>> arrays;
    std::vector<heed_view> views;
    for (const Array &argument : arguments)
      views.push_back(arrays.emplace_back(std::make_unique<CudaArray>(cuda, argument))->view());
    const CudaArray y(cuda, Array::filled(arguments[0].shape(), NAN));
    views.push_back(y.view());
    const int waits = driver.state().waits;
    REQUIRE(callOn(cudaBlock, views, device) == "");
    REQUIRE(callOn(cudaBlock, views, device) == "");
    CHECK(driver.state().waits == waits);
    for (const CheckingCudaLaunch &launch : driver.launches()) {
      CHECK(launch.context == cuda.context);
      CHECK(launch.stream == device.queue);
    }
    for (const auto &array : arrays)
      CHECK(driver.wasPassed(array->address()));
    CHECK(driver.wasPassed(y.address()));
    CHECK(isClose(y.read(), blockResult(arguments)));
    for (size_t i = 0; i < arrays.size(); ++i)
      CHECK(arrays[i]->read() == arguments[i]);
  }
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: arguments may lie in either memory") {
  const CheckedDriver driver;
  {
    const CheckedCuda cuda;
    const bool outputOnDevice = GENERATE(false, true);
    const std::vector<Array> arguments = blockArguments(2, 40);
    std::vector<HostArray> hosts(arguments.begin(), arguments.end());
    const Array nan = Array::filled(arguments[0].shape(), NAN);
    HostArray hostOutput(nan);
    const CudaArray weight(cuda, arguments[1]), deviceOutput(cuda, nan);
    std::vector<heed_view> views;
    for (HostArray &host : hosts)
      views.push_back(host.view());
    views[1] = weight.view();
    views.push_back(outputOnDevice ? deviceOutput.view() : hostOutput.view());
    REQUIRE(callOn(cudaBlock, views, cuda.device()) == "");
    CHECK(driver.wasPassed(weight.address()));
    CHECK(isClose(outputOnDevice ? deviceOutput.read() : hostOutput.read(), blockResult(arguments)));
  }
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: a state is brought back, or used in place; scalars are read when the call is made") {
  const CheckedDriver driver;
  {
    const CheckedCuda cuda;
    const Array filled = Array::random({2, 1, 20, 8}, 1), rows = Array::random({2, 1, 5, 8}, 2),
                nan = Array::filled({2, 1, 5, 8}, NAN);
    HostArray hostRows(rows), hostCache(filled), y(nan), cpuCache(filled), cpuY(nan),
        position(Array::scalar(3, heed::spec::dtype::i64));
    const CudaArray deviceCache(cuda, filled);
    auto views = [&](heed_view cache, heed_view y) {
      std::vector<heed_view> views;
      const heed_program &program = *cudaKernels().library().program("cached");
      for (int i = 0; i < program.argument_count; ++i) {
        const std::string name = program.arguments[i].name;
        views.push_back(name == "rows"    ? hostRows.view()
                        : name == "cache" ? cache
                        : name == "y"     ? y
                                          : position.view());
      }
      return views;
    };
    callOnCpu(cudaCached, views(cpuCache.view(), cpuY.view()));
    const bool onDevice = GENERATE(false, true);
    const heed_view cache = onDevice ? deviceCache.view() : hostCache.view();
    REQUIRE(callOn(cudaCached, views(cache, y.view()), cuda.device()) == "");
    CHECK(isClose(y.read(), cpuY.read()));
    CHECK((onDevice ? deviceCache.read() : hostCache.read()) == cpuCache.read());
  }
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: repeated calls take no more memory and load no code") {
  const CheckedDriver driver;
  const std::vector<Array> arguments = blockArguments(2, 9);
  const Array expected = blockResult(arguments);
  REQUIRE(callBlock(runtimesCuda, arguments, expected) == "");
  const CheckingCudaState after = driver.state();
  for (int i = 0; i < 5; ++i)
    REQUIRE(callBlock(runtimesCuda, arguments, expected) == "");
  CHECK(driver.state().allocations == after.allocations);
  CHECK(driver.state().modules == after.modules);
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: a batch may be longer than a grid's last axes") {
  const CheckedDriver driver;
  driver.runNothing();
  const std::vector<Array> arguments = blockArguments(70000, 1);
  CHECK(callBlock(runtimesCuda, arguments, Array::filled(arguments[0].shape(), 0)) == "");
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: memory, copies and what the device is, without a call") {
  const CheckedDriver driver;
  heed_device device = runtimesCuda;
  heed_device_description description;
  REQUIRE(heed_device_describe(&device, &description, nullptr) == HEED_OK);
  CHECK(std::string(description.name) == "Checking device 0");
  CHECK(description.shared_bytes == 227 << 10);
  CHECK(description.block_threads == 1024);
  CHECK(description.compute_capability == 90);
  REQUIRE(heed_device_open(&device, nullptr) == HEED_OK);
  CHECK(device.context != nullptr);
  void *memory = nullptr;
  REQUIRE(heed_device_allocate(&device, 100, &memory, nullptr) == HEED_OK);
  const std::string text = "hello";
  std::string read(text.size(), ' ');
  REQUIRE(heed_device_write(&device, memory, 95, text.data(), text.size(), nullptr) == HEED_OK);
  REQUIRE(heed_device_read(&device, memory, 95, read.data(), read.size(), nullptr) == HEED_OK);
  CHECK(read == text);
  CHECK(heed_device_wait(&device, nullptr) == HEED_OK);
  heed_device_release(&device, memory);
  heed_device_forget(&device);
  CHECK(driver.leftovers() == "");
}

TEST_CASE("cuda: threads call at once, on one device and on their own") {
  const CheckedDriver driver;
  const std::vector<Array> arguments = blockArguments(1, 9);
  const Array expected = blockResult(arguments);
  std::string messages[4];
  int depths[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      if (t < 2) {
        for (int i = 0; i < 10; ++i)
          messages[t] += callBlock(runtimesCuda, arguments, expected);
      } else {
        const CheckedCuda cuda;
        for (int i = 0; i < 10; ++i)
          messages[t] += callBlock(cuda.device(), arguments, expected);
      }
      depths[t] = driver.state().depth;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int t = 0; t < 4; ++t) {
    CHECK(messages[t] == "");
    CHECK(depths[t] == 0);
  }
  CHECK(driver.leftovers() == "");
}
