//===- CudaKernels.h - Kernels for the tests of CUDA ------------*- C++ -*-===//
///
/// \file
/// A few small kernels, compiled once per program, and calls of them.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_CUDAKERNELS_H
#define HEED_TESTS_DEVICE_CUDA_CUDAKERNELS_H

#include "CheckedCuda.h"

namespace heed::tests {

/// Two projections, attention and a third projection: several launches, and temporaries between them.
extern const spec::graph &cudaBlock;
/// New rows go into a cache, at a position.
extern const spec::graph &cudaCached;
/// y = 2 x.
extern const spec::graph &cudaDoubled;

/// For CUDA and, second, for this CPU.
const Kernels &cudaKernels();

/// Of `cudaBlock`; the output has the shape of x, the first.
std::vector<Array> blockArguments(int64_t batch, int64_t tokens);

/// The message of a call, empty when all went well.
std::string callOn(const spec::graph &kernel, const std::vector<heed_view> &views, const heed_device &device);

/// What the CPU makes of the same arguments.
void callOnCpu(const spec::graph &kernel, const std::vector<heed_view> &views);

/// Whether results are the same but for what is rounded.
bool isClose(const Array &a, const Array &b);

/// Host memory of a call's arguments.
struct HostArray {
  explicit HostArray(const Array &values) : bytes(values.host().bytes), values(values) {}
  heed_view view() { return denseView(bytes.data(), values.host().type, values.shape()); }
  Array read() const;

  std::vector<std::byte> bytes;
  Array values;
};

/// What `cudaBlock` gives on the CPU.
Array blockResult(const std::vector<Array> &arguments);

/// `cudaBlock` with all arguments on the host. The message of the call, or what is wrong with its result.
std::string callBlock(const heed_device &device, const std::vector<Array> &arguments, const Array &expected);

} // namespace heed::tests

#endif // HEED_TESTS_DEVICE_CUDA_CUDAKERNELS_H
