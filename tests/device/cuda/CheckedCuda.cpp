#include "CheckedCuda.h"

#include "heed/device.h"

#include <algorithm>

namespace heed::tests {

namespace {

constexpr unsigned apartFromDefault = 1; ///< a stream that doesn't wait for the default one

/// A context is the thread's for as long as this lives.
struct Inside {
  explicit Inside(void *context) { runCuda<void *>("cuCtxPushCurrent_v2", context); }
  ~Inside() {
    void *left;
    runCuda<void **>("cuCtxPopCurrent_v2", &left);
  }
};

} // namespace

static void setInstructions(int64_t count) { cudaFunction<void(int64_t)>("checkingCudaInstructions")(count); }

CheckedDriver::CheckedDriver() {
  setDevices(1, 227 << 10);
  setInstructions(1 << 30);
  clear();
}

CheckedDriver::~CheckedDriver() {
  clear();
  heed_device_forget(&runtimesCuda);
}

CheckingCudaState CheckedDriver::state() const {
  return cudaFunction<CheckingCudaState()>("checkingCudaState")();
}

std::string CheckedDriver::misuses() const {
  char text[4000];
  cudaFunction<void(char *, int)>("checkingCudaMisuses")(text, sizeof text);
  return text;
}

std::vector<CheckingCudaLaunch> CheckedDriver::launches() const {
  std::vector<CheckingCudaLaunch> launches(256);
  auto *all = cudaFunction<int(CheckingCudaLaunch *, int)>("checkingCudaLaunches");
  launches.resize(size_t(all(launches.data(), int(launches.size()))));
  return launches;
}

template <class Is> static bool anyParameter(const std::vector<CheckingCudaLaunch> &launches, Is is) {
  return std::any_of(launches.begin(), launches.end(), [&](const CheckingCudaLaunch &launch) {
    return std::any_of(launch.parameters, launch.parameters + launch.parameterCount, is);
  });
}

bool CheckedDriver::wasPassed(const Array &array) const {
  auto *holds = cudaFunction<bool(uint64_t, const void *, uint64_t)>("checkingCudaHolds");
  const std::vector<std::byte> &bytes = array.host().bytes;
  return anyParameter(launches(),
                      [&](uint64_t address) { return holds(address, bytes.data(), bytes.size()); });
}

bool CheckedDriver::wasPassed(uint64_t address) const {
  return anyParameter(launches(), [&](uint64_t parameter) { return parameter == address; });
}

void CheckedDriver::runNothing() const { setInstructions(0); }

void CheckedDriver::setDevices(int count, int sharedBytes) const {
  cudaFunction<void(int, int)>("checkingCudaDevices")(count, sharedBytes);
}

void CheckedDriver::fail(const char *function, int after, int result) const {
  cudaFunction<void(const char *, int, int)>("checkingCudaFail")(function, after, result);
}

void CheckedDriver::clear() const { cudaFunction<void()>("checkingCudaClear")(); }

std::string CheckedDriver::leftovers() const {
  heed_device_forget(&runtimesCuda);
  const CheckingCudaState left = state();
  std::string text = misuses();
  auto add = [&](const char *what, int count) {
    if (count)
      text += std::to_string(count) + " " + what + " are left\n";
  };
  add("contexts", left.contexts);
  add("streams", left.streams);
  add("modules", left.modules);
  add("allocations", left.allocations);
  add("contexts on the stack", left.depth);
  return text;
}

CheckedCuda::CheckedCuda() {
  runCuda<unsigned>("cuInit", 0);
  runCuda<void **, unsigned, int>("cuCtxCreate_v2", &context, 0, 0);
  runCuda<void **, unsigned>("cuStreamCreate", &stream, apartFromDefault);
  void *left;
  runCuda<void **>("cuCtxPopCurrent_v2", &left);
}

CheckedCuda::~CheckedCuda() {
  const heed_device mine = device();
  heed_device_forget(&mine);
  {
    const Inside here(context);
    cudaFunction<int(void *)>("cuStreamDestroy_v2")(stream); // which a lost context refuses
  }
  runCuda<void *>("cuCtxDestroy_v2", context);
}

CudaArray::CudaArray(const CheckedCuda &cuda, const Array &values)
    : cuda(cuda), values(values),
      all(values.host().bytes.size() + 2 * guard * tools::elementSize(values.host().type), std::byte(255)) {
  const Inside here(cuda.context);
  std::copy(values.host().bytes.begin(), values.host().bytes.end(),
            all.begin() + ptrdiff_t(guard * tools::elementSize(values.host().type)));
  runCuda<uint64_t *, size_t>("cuMemAlloc_v2", &memory, all.size());
  runCuda<uint64_t, const void *, size_t>("cuMemcpyHtoD_v2", memory, all.data(), all.size());
}

CudaArray::~CudaArray() {
  const Inside here(cuda.context);
  cudaFunction<int(uint64_t)>("cuMemFree_v2")(memory);
}

heed_view CudaArray::view() const {
  heed_view view = denseView(reinterpret_cast<void *>(memory), values.host().type, values.shape());
  view.memory = HEED_MEMORY_DEVICE;
  view.first = guard;
  return view;
}

uint64_t CudaArray::address() const { return memory + guard * tools::elementSize(values.host().type); }

Array CudaArray::read() const {
  const Inside here(cuda.context);
  runCuda<>("cuCtxSynchronize");
  std::vector<std::byte> now(all.size());
  runCuda<void *, uint64_t, size_t>("cuMemcpyDtoH_v2", now.data(), memory, now.size());
  const auto before = ptrdiff_t(guard * tools::elementSize(values.host().type));
  if (!std::equal(all.begin(), all.begin() + before, now.begin()) ||
      !std::equal(all.end() - before, all.end(), now.end() - before))
    throw std::runtime_error("memory beside an array on the device was written to");
  tools::HostTensor read = values.host();
  std::copy(now.begin() + before, now.end() - before, read.bytes.begin());
  return Array(std::move(read));
}

} // namespace heed::tests
