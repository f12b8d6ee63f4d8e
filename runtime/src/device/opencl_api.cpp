#include "opencl_api.hpp"

#include "library.hpp"

namespace heed::runtime::device::opencl {
namespace {

#define FIND(function) opencl.find(#function, found.function)

functions find_functions() noexcept {
  functions found{};
  const library opencl("libOpenCL.so.1");
  found.complete = opencl && FIND(clGetPlatformIDs) && FIND(clGetDeviceIDs) && FIND(clGetDeviceInfo) &&
                   FIND(clCreateContext) && FIND(clRetainContext) && FIND(clReleaseContext) &&
                   FIND(clGetContextInfo) && FIND(clCreateCommandQueue) && FIND(clRetainCommandQueue) &&
                   FIND(clReleaseCommandQueue) && FIND(clGetCommandQueueInfo) && FIND(clCreateBuffer) &&
                   FIND(clReleaseMemObject) && FIND(clGetMemObjectInfo) && FIND(clEnqueueWriteBuffer) &&
                   FIND(clEnqueueReadBuffer) && FIND(clEnqueueFillBuffer) && FIND(clFlush) &&
                   FIND(clFinish) && FIND(clCreateProgramWithSource) && FIND(clBuildProgram) &&
                   FIND(clGetProgramBuildInfo) && FIND(clReleaseProgram) && FIND(clCreateKernel) &&
                   FIND(clReleaseKernel) && FIND(clSetKernelArg) && FIND(clEnqueueNDRangeKernel);
  return found;
}

#undef FIND

} // namespace

const functions &cl() noexcept {
  static const functions found = find_functions();
  return found;
}

} // namespace heed::runtime::device::opencl
