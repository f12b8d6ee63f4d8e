#include "OpenCl.h"

#include "heed/device.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <stdexcept>

namespace heed::tests {

namespace {

constexpr uint64_t anyDevice = 0xFFFFFFFF, readAndWrite = 1;
constexpr uint32_t blocking = 1;
constexpr int32_t complete = 0;

/// A function of libOpenCL.
template <class Function> Function *entry(const char *name) {
  static void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  auto *function = library ? reinterpret_cast<Function *>(dlsym(library, name)) : nullptr;
  if (!function)
    throw std::runtime_error(std::string(name) + ": libOpenCL.so.1 has no such function, or isn't there");
  return function;
}

void check(int32_t error, const char *name) {
  if (error != 0)
    throw std::runtime_error(std::string(name) + ": error " + std::to_string(error));
}

/// Calls a function that gives an error code.
template <class... Parameters, class... Arguments> void run(const char *name, Arguments... arguments) {
  check(entry<int32_t(Parameters...)>(name)(Parameters(arguments)...), name);
}

/// Calls a function that makes something and gives the error code by its last argument.
template <class... Parameters, class... Arguments> void *make(const char *name, Arguments... arguments) {
  int32_t error = 0;
  void *made = entry<void *(Parameters..., int32_t *)>(name)(Parameters(arguments)..., &error);
  check(error, name);
  return made;
}

void *firstDevice() {
  void *platform = nullptr, *device = nullptr;
  run<uint32_t, void **, uint32_t *>("clGetPlatformIDs", 1, &platform, nullptr);
  run<void *, uint64_t, uint32_t, void **, uint32_t *>("clGetDeviceIDs", platform, anyDevice, 1, &device,
                                                       nullptr);
  return device;
}

} // namespace

OpenCl::OpenCl() {
  void *device = firstDevice();
  context = make<const intptr_t *, uint32_t, void *const *, void *, void *>("clCreateContext", nullptr, 1,
                                                                            &device, nullptr, nullptr);
  queue = make<void *, void *, uint64_t>("clCreateCommandQueue", context, device, 0);
}

OpenCl::~OpenCl() {
  const heed_device mine = device();
  heed_device_forget(&mine);
  run<void *>("clReleaseCommandQueue", queue);
  run<void *>("clReleaseContext", context);
}

void OpenCl::finish() const { run<void *>("clFinish", queue); }

Gate::Gate(const OpenCl &cl) : event(make<void *>("clCreateUserEvent", cl.context)) {
  run<void *, uint32_t, void *const *, void **>("clEnqueueBarrierWithWaitList", cl.queue, 1, &event, nullptr);
}

void Gate::open() {
  if (!isOpen)
    run<void *, int32_t>("clSetUserEventStatus", event, complete);
  isOpen = true;
}

Gate::~Gate() {
  open();
  run<void *>("clReleaseEvent", event);
}

size_t DeviceArray::bytes() const {
  return (reference::elementCount(shape) + 2 * guard) * tools::elementSize(type);
}

DeviceArray::DeviceArray(const OpenCl &cl, spec::dtype type, Shape shape)
    : cl(cl), type(type), shape(std::move(shape)) {
  memory =
      make<void *, uint64_t, size_t, void *>("clCreateBuffer", cl.context, readAndWrite, bytes(), nullptr);
  const std::vector<std::byte> nan(bytes(), std::byte(255));
  run<void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *const *, void **>(
      "clEnqueueWriteBuffer", cl.queue, memory, blocking, 0, nan.size(), nan.data(), 0, nullptr, nullptr);
}

DeviceArray::DeviceArray(const OpenCl &cl, const Array &values)
    : DeviceArray(cl, values.host().type, values.shape()) {
  const std::vector<std::byte> &elements = values.host().bytes;
  if (!elements.empty())
    run<void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *const *, void **>(
        "clEnqueueWriteBuffer", cl.queue, memory, blocking, guard * tools::elementSize(type), elements.size(),
        elements.data(), 0, nullptr, nullptr);
}

DeviceArray::~DeviceArray() { run<void *>("clReleaseMemObject", memory); }

heed_view DeviceArray::view() const {
  heed_view view = denseView(memory, type, shape);
  view.memory = HEED_MEMORY_DEVICE;
  view.first = guard;
  return view;
}

Array DeviceArray::read() const {
  std::vector<std::byte> all(bytes());
  run<void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *, void **>(
      "clEnqueueReadBuffer", cl.queue, memory, blocking, 0, all.size(), all.data(), 0, nullptr, nullptr);
  const size_t before = guard * tools::elementSize(type);
  auto spoilt = [](std::byte byte) { return byte != std::byte(255); };
  if (std::any_of(all.begin(), all.begin() + before, spoilt) ||
      std::any_of(all.end() - before, all.end(), spoilt))
    throw std::runtime_error("memory beside an array on the device was written to");
  tools::HostTensor values = tools::HostTensor::zeros(type, shape);
  std::copy(all.begin() + before, all.end() - before, values.bytes.begin());
  return Array(std::move(values));
}

} // namespace heed::tests
