//===- CheckedCuda.h - A caller's own CUDA ----------------------*- C++ -*-===//
///
/// \file
/// What a program that uses CUDA itself has: a context, a stream and memory, of the driver that checks its
/// callers (driver/). And whether the runtime used that driver rightly and left nothing behind.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_CHECKEDCUDA_H
#define HEED_TESTS_DEVICE_CUDA_CHECKEDCUDA_H

#include "Kernels.h"
#include "driver/CheckingCuda.h"

#include <dlfcn.h>
#include <stdexcept>

namespace heed::tests {

/// A function of the driver, and a call of it that must succeed.
template <class Function> Function *cudaFunction(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  auto *function = library ? reinterpret_cast<Function *>(dlsym(library, name)) : nullptr;
  if (!function)
    throw std::runtime_error(std::string(name) +
                             ": the checking driver has no such function, or isn't there");
  return function;
}

template <class... Parameters, class... Arguments> void runCuda(const char *name, Arguments... arguments) {
  if (const int error = cudaFunction<int(Parameters...)>(name)(Parameters(arguments)...))
    throw std::runtime_error(std::string(name) + ": error " + std::to_string(error));
}

/// The driver, as a test begins and ends: it must have nothing at either time.
class CheckedDriver {
public:
  CheckedDriver();
  ~CheckedDriver();
  CheckedDriver(const CheckedDriver &) = delete;

  CheckingCudaState state() const;
  std::string misuses() const;
  std::vector<CheckingCudaLaunch> launches() const;
  /// Whether a launch got the address of these elements on the device.
  bool wasPassed(const Array &array) const;
  bool wasPassed(uint64_t address) const;
  /// Launches are checked and not run.
  void runNothing() const;
  void setDevices(int count, int sharedBytes) const;
  void fail(const char *function, int after, int result) const;
  void clear() const;

  /// What is wrong now that the runtime was told to forget its devices; empty if nothing is.
  std::string leftovers() const;
};

class CheckedCuda {
public:
  CheckedCuda();
  ~CheckedCuda();
  CheckedCuda(const CheckedCuda &) = delete;

  heed_device device() const { return {HEED_DEVICE_CUDA, 0, context, stream}; }
  heed_device deviceByDefault() const { return {HEED_DEVICE_CUDA, 0, context, nullptr}; }

  void *context = nullptr, *stream = nullptr;
};

/// A dense tensor in the device's memory, elements of NaN (bytes of 255) before and behind it.
class CudaArray {
public:
  CudaArray(const CheckedCuda &cuda, const Array &values);
  ~CudaArray();
  CudaArray(const CudaArray &) = delete;

  heed_view view() const;
  uint64_t address() const; ///< of the first element
  /// Waits for all work. Throws if memory beside it was written to.
  Array read() const;

private:
  static constexpr int64_t guard = 37;
  const CheckedCuda &cuda;
  Array values;
  std::vector<std::byte> all;
  uint64_t memory = 0;
};

/// The device that the runtime opens.
inline constexpr heed_device runtimesCuda{HEED_DEVICE_CUDA, 0, nullptr, nullptr};

} // namespace heed::tests

#endif // HEED_TESTS_DEVICE_CUDA_CHECKEDCUDA_H
