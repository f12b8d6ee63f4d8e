#include "checked.hpp"
#include "driver.hpp"
#include "opencl_api.hpp"
#include "opencl_devices.hpp"
#include "sentence.hpp"

#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace heed::runtime::device {
namespace opencl {
namespace {

heed_code check(cl_int result, const char *function, heed_status *status) noexcept {
  if (result == success)
    return HEED_OK;
  const bool memory = result == memory_allocation_failure || result == out_of_host_memory;
  const std::string_view meaning = memory                       ? " (no memory)"
                                   : result == out_of_resources ? " (out of resources)"
                                                                : "";
  return fail(status, memory ? HEED_OUT_OF_MEMORY : HEED_UNSUPPORTED)
         << "opencl: " << function << " returned " << result << meaning
         << ", 0 is needed; free memory of the device, or call on another one";
}

cl_mem object(handle memory) noexcept { return reinterpret_cast<cl_mem>(memory); }
cl_command_queue object(void *queue) noexcept { return static_cast<cl_command_queue>(queue); }

class cl_module final : public module {
public:
  explicit cl_module(cl_program program) noexcept : program_(program) {}
  ~cl_module() override {
    for (const named &one : kernels_)
      cl().clReleaseKernel(one.kernel);
    cl().clReleaseProgram(program_);
  }

  /// To be held while a kernel's arguments are set and the kernel is enqueued.
  std::mutex mutex;

  cl_kernel find(const char *entry, cl_int &result) {
    for (const named &one : kernels_)
      if (one.entry == entry)
        return one.kernel;
    kernels_.reserve(kernels_.size() + 1);
    std::string name(entry);
    const cl_kernel kernel = cl().clCreateKernel(program_, entry, &result);
    if (result == success)
      kernels_.push_back({std::move(name), kernel});
    return kernel;
  }

private:
  struct named {
    std::string entry;
    cl_kernel kernel;
  };
  cl_program program_;
  std::vector<named> kernels_;
};

class cl_context_of_calls final : public context {
public:
  explicit cl_context_of_calls(cl_device_id device) noexcept : device_(device) {
    describe(device, description_);
  }
  ~cl_context_of_calls() override {
    if (queue_)
      cl().clReleaseCommandQueue(queue_);
    if (context_)
      cl().clReleaseContext(context_);
  }

  /// Makes a context and a queue, which run in order.
  heed_code create(heed_status *status) noexcept {
    cl_int result = success;
    context_ = cl().clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &result);
    if (result != success)
      return check(result, "clCreateContext", status);
    queue_ = cl().clCreateCommandQueue(context_, device_, 0, &result);
    return check(result, "clCreateCommandQueue", status);
  }
  heed_code share(cl_context context, heed_status *status) noexcept {
    const heed_code code = check(cl().clRetainContext(context), "clRetainContext", status);
    if (!code)
      context_ = context;
    return code;
  }

  const heed_device_description &description() const noexcept override { return description_; }
  bool has_addresses() const noexcept override { return false; }
  heed_code enter(heed_status *) noexcept override { return HEED_OK; }
  void leave() noexcept override {}
  void *own_queue() const noexcept override { return queue_; }
  void *native() const noexcept override { return context_; }

  bool serves(const heed_device &device) const noexcept override {
    return device.context == context_ && device_of(object(device.queue)) == device_;
  }
  heed_code keep_queue(void *queue, heed_status *status) noexcept override {
    return check(cl().clRetainCommandQueue(object(queue)), "clRetainCommandQueue", status);
  }
  void drop_queue(void *queue) noexcept override { cl().clReleaseCommandQueue(object(queue)); }

  handle allocate(std::uint64_t bytes) noexcept override {
    cl_int result = success;
    const cl_mem made = cl().clCreateBuffer(context_, mem_read_write, bytes, nullptr, &result);
    return result == success ? reinterpret_cast<handle>(made) : 0;
  }
  void release(handle memory) noexcept override { cl().clReleaseMemObject(object(memory)); }
  std::int64_t bytes_at(handle memory) const noexcept override {
    std::size_t bytes = 0;
    const cl_int result = cl().clGetMemObjectInfo(object(memory), mem_size, sizeof bytes, &bytes, nullptr);
    return result == success ? static_cast<std::int64_t>(bytes) : 0;
  }

  heed_code write(void *queue, handle to, std::uint64_t offset, const void *from, std::uint64_t bytes,
                  bool wait, heed_status *status) noexcept override {
    return check(cl().clEnqueueWriteBuffer(object(queue), object(to), wait ? blocking : non_blocking, offset,
                                           bytes, from, 0, nullptr, nullptr),
                 "clEnqueueWriteBuffer", status);
  }
  heed_code read(void *queue, handle from, std::uint64_t offset, void *to, std::uint64_t bytes,
                 heed_status *status) noexcept override {
    return check(cl().clEnqueueReadBuffer(object(queue), object(from), non_blocking, offset, bytes, to, 0,
                                          nullptr, nullptr),
                 "clEnqueueReadBuffer", status);
  }
  heed_code fill(void *queue, handle to, std::uint64_t offset, const std::byte *pattern,
                 heed_status *status) noexcept override {
    return check(cl().clEnqueueFillBuffer(object(queue), object(to), pattern, fill_bytes, offset, fill_bytes,
                                          0, nullptr, nullptr),
                 "clEnqueueFillBuffer", status);
  }
  heed_code submit(void *queue, heed_status *status) noexcept override {
    return check(cl().clFlush(object(queue)), "clFlush", status);
  }
  heed_code wait(void *queue, heed_status *status) noexcept override {
    return check(cl().clFinish(object(queue)), "clFinish", status);
  }

  heed_code load(const char *code, std::size_t size, std::unique_ptr<module> &loaded,
                 heed_status *status) override {
    cl_int result = success;
    const std::size_t length = strnlen(code, size);
    const cl_program program = cl().clCreateProgramWithSource(context_, 1, &code, &length, &result);
    if (result != success)
      return check(result, "clCreateProgramWithSource", status);
    auto made = std::make_unique<cl_module>(program);
    // Constants lie in global memory: no limits of constant memory count.
    result = cl().clBuildProgram(program, 1, &device_, "-D MAX_CONSTANT_BUFFER_SIZE=0 -D MAX_CONSTANT_ARGS=0",
                                 nullptr, nullptr);
    if (result != success)
      return report_build(program, result, status);
    loaded = std::move(made);
    return HEED_OK;
  }

  heed_code run(void *queue, module &code, const kernel_start &start, heed_status *status) override {
    auto &module = static_cast<cl_module &>(code);
    const std::lock_guard lock(module.mutex);
    cl_int result = success;
    const cl_kernel kernel = module.find(start.entry, result);
    if (result != success)
      return check(result, "clCreateKernel", status);
    if (const cl_int refused = set_arguments(kernel, start))
      return check(refused, "clSetKernelArg", status);
    std::size_t all[3], group[3];
    for (int axis = 0; axis < 3; ++axis) {
      group[axis] = static_cast<std::size_t>(start.threads[axis]);
      all[axis] = group[axis] * static_cast<std::size_t>(start.blocks[axis]);
    }
    return check(
        cl().clEnqueueNDRangeKernel(object(queue), kernel, 3, nullptr, all, group, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel", status);
  }

private:
  /// The last argument is the shared memory, of which there must be some.
  static cl_int set_arguments(cl_kernel kernel, const kernel_start &start) noexcept {
    cl_uint number = 0;
    for (; start.sizes[number]; ++number) {
      const void *value = start.arguments[number];
      std::size_t bytes = start.sizes[number];
      cl_mem memory;
      if (start.are_buffers[number]) {
        memory = object(static_cast<const heed_buffer *>(value)->device);
        value = &memory;
        bytes = sizeof memory;
      }
      if (const cl_int result = cl().clSetKernelArg(kernel, number, bytes, value))
        return result;
    }
    return cl().clSetKernelArg(kernel, number, start.shared_bytes > 0 ? start.shared_bytes : 1, nullptr);
  }

  heed_code report_build(cl_program program, cl_int result, heed_status *status) const {
    std::size_t length = 0;
    cl().clGetProgramBuildInfo(program, device_, program_build_log, 0, nullptr, &length);
    std::string log(length, '\0');
    if (length)
      cl().clGetProgramBuildInfo(program, device_, program_build_log, length, log.data(), nullptr);
    return fail(status, HEED_UNSUPPORTED)
           << "opencl: clBuildProgram returned " << result
           << ", 0 is needed; update the driver, or compile for the CPU; its log: " << log.c_str();
  }

  cl_device_id device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr; ///< null in a caller's context
  heed_device_description description_{};
};

} // namespace
} // namespace opencl

using namespace opencl;

heed_code open_opencl(std::int32_t index, std::shared_ptr<context> &opened, heed_status *status) {
  cl_device_id device;
  if (const heed_code code = find_device(index, device, status))
    return code;
  auto made = std::make_shared<cl_context_of_calls>(device);
  const heed_code code = made->create(status);
  if (!code)
    opened = std::move(made);
  return code;
}

heed_code wrap_opencl(const heed_device &device, std::shared_ptr<context> &wrapped, heed_status *status) {
  const auto queue = static_cast<cl_command_queue>(device.queue);
  if (const heed_code code = check_queue(queue, static_cast<cl_context>(device.context), status))
    return code;
  auto made = std::make_shared<cl_context_of_calls>(device_of(queue));
  const heed_code code = made->share(static_cast<cl_context>(device.context), status);
  if (!code)
    wrapped = std::move(made);
  return code;
}

} // namespace heed::runtime::device
