/// Whose queue a call is made in: the runtime's, or the caller's.

#include "opencl.hpp"

#include "device/opencl_api.hpp"

#include <thread>

using namespace heed::test;
using namespace heed::runtime::device::opencl;

namespace {

/// A context and queues as a caller makes them.
struct callers_own {
  callers_own() {
    cl_platform_id platform;
    REQUIRE(cl().clGetPlatformIDs(1, &platform, nullptr) == success);
    REQUIRE(cl().clGetDeviceIDs(platform, type_all, 1, &device, nullptr) == success);
    cl_int result;
    context = cl().clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
    REQUIRE(result == success);
  }
  ~callers_own() { cl().clReleaseContext(context); }

  cl_command_queue queue(cl_ulong properties = 0) const {
    cl_int result;
    const cl_command_queue made = cl().clCreateCommandQueue(context, device, properties, &result);
    REQUIRE(result == success);
    return made;
  }

  cl_device_id device;
  cl_context context;
};

} // namespace

TEST_CASE("device: a call in the caller's context and queue") {
  if (!has_opencl())
    return;
  callers_own own;
  const cl_command_queue first = own.queue(), second = own.queue();
  scale_rows kernel;
  const heed_program program = for_opencl(kernel.t);
  for (const cl_command_queue queue : {first, second, first}) {
    const heed_device device{HEED_DEVICE_OPENCL, 0, own.context, queue};
    const heed_options options = heed::options{.device = &device};
    on_device x(counting(15), device), y(std::vector<float>(15, -1), device);
    const heed::view<float, 2> shape{nullptr, {3, 5}};
    run_ok(program, {x.view(shape), kernel.factor_view(), y.view(shape)}, options);
    CHECK(y.values()[14] == 43);
    guarded out(15);
    run_ok(program, {x.view(shape), kernel.factor_view(), heed::view{out.data(), {3, 5}}}, options);
    CHECK(out[14] == 43);
  }
  // References that the runtime kept are given back.
  const auto references = [](cl_command_queue queue) {
    cl_uint count = 0;
    cl().clGetCommandQueueInfo(queue, 0x1092, sizeof count, &count, nullptr);
    return count;
  };
  CHECK(references(first) > 1);
  for (const cl_command_queue queue : {first, second}) {
    const heed_device device{HEED_DEVICE_OPENCL, 0, own.context, queue};
    heed_device_forget(&device);
  }
  CHECK(references(first) == 1);
  CHECK(references(second) == 1);
  cl().clReleaseCommandQueue(first);
  cl().clReleaseCommandQueue(second);
}

TEST_CASE("device: queues that no call can be made in") {
  if (!has_opencl())
    return;
  callers_own own, other;
  const cl_command_queue queue = own.queue(), unordered = own.queue(out_of_order);
  scale_rows kernel;
  const heed_program program = for_opencl(kernel.t);
  const std::vector<float> x = counting(15);
  guarded y(15);
  const auto refused = [&](void *context, void *in, const std::string &words) {
    const heed_device device{HEED_DEVICE_OPENCL, 0, context, in};
    check_refused(run(program,
                      {heed::view{x.data(), {3, 5}}, kernel.factor_view(), heed::view{y.data(), {3, 5}}},
                      heed::options{.device = &device}),
                  HEED_INVALID_ARGUMENT, words);
  };
  refused(own.context, nullptr,
          "options: device has a context without a queue, both are needed; set queue to an in-order "
          "cl_command_queue");
  refused(
      nullptr, queue,
      "options: device has a queue without a context, both are needed; set context to the one that the queue "
      "was made in");
  refused(other.context, queue,
          "options: the queue of device belongs to another context, one of its context is needed; pass a "
          "cl_command_queue and the cl_context that it was made in");
  refused(
      own.context, unordered,
      "options: the queue of device runs out of order, one that runs in order is needed; create it without "
      "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE");
  cl().clReleaseCommandQueue(queue);
  cl().clReleaseCommandQueue(unordered);
}

TEST_CASE("device: the runtime's own context is there for callers") {
  if (!has_opencl())
    return;
  heed_device device = first_opencl;
  heed_status status;
  REQUIRE(heed_device_open(&device, &status) == HEED_OK);
  REQUIRE(device.context);
  REQUIRE(device.queue);
  scale_rows kernel;
  const std::vector<float> x = counting(15);
  guarded y(15);
  run_ok(for_opencl(kernel.t),
         {heed::view{x.data(), {3, 5}}, kernel.factor_view(), heed::view{y.data(), {3, 5}}},
         heed::options{.device = &device});
  CHECK(y[14] == 43);
  CHECK(heed_device_wait(&device, &status) == HEED_OK);
  heed_device_description description;
  CHECK(heed_device_describe(&device, &description, &status) == HEED_OK);
  CHECK(description.name[0] != '\0');
  CHECK(description.shared_bytes >= 16 << 10);
  CHECK(description.block_threads >= 64);
  heed_device_forget(&device);
}

TEST_CASE("device: calls from several threads at once") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  const heed_program program = for_opencl(kernel.t);
  const std::vector<float> x = counting(600);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      const float factor = static_cast<float>(t + 2);
      for (int repeat = 0; repeat < 25; ++repeat) {
        std::vector<float> y(600, -1);
        const heed_view views[] = {heed::view{x.data(), {6, 100}}, heed::view{&factor},
                                   heed::view{y.data(), {6, 100}}};
        if (heed_call(&program, views, nullptr, nullptr) != HEED_OK)
          ++wrong[t];
        for (std::size_t i = 0; i < y.size(); ++i)
          wrong[t] += y[i] != factor * x[i] + 1;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
