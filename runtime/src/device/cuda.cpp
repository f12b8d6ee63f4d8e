#include "checked.hpp"
#include "cuda_code.hpp"
#include "cuda_status.hpp"
#include "driver.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heed::runtime::device {
namespace cuda {
namespace {

CUstream stream(void *queue) noexcept { return static_cast<CUstream>(queue); }

/// Shared memory of a block beyond which a kernel must ask for it.
constexpr int shared_bytes_unasked = 48 << 10;

/// Blocks of a grid along its second and third axis.
constexpr int most_blocks = 65535;

class cuda_module final : public module {
public:
  explicit cuda_module(CUmodule loaded) noexcept : module_(loaded) {}
  ~cuda_module() override { cu().cuModuleUnload(module_); }

  heed_code find(const char *entry, int shared_bytes, CUfunction &found, heed_status *status) {
    const std::lock_guard lock(mutex_);
    for (const named &one : functions_)
      if (one.entry == entry && one.shared_bytes >= shared_bytes) {
        found = one.function;
        return HEED_OK;
      }
    named made{entry, std::max(shared_bytes, shared_bytes_unasked), nullptr};
    functions_.reserve(functions_.size() + 1);
    if (const CUresult result = cu().cuModuleGetFunction(&made.function, module_, entry))
      return check(result, "cuModuleGetFunction", status);
    if (shared_bytes > shared_bytes_unasked)
      if (const CUresult result =
              cu().cuFuncSetAttribute(made.function, function_max_dynamic_shared_bytes, shared_bytes))
        return check(result, "cuFuncSetAttribute", status);
    found = made.function;
    functions_.push_back(std::move(made));
    return HEED_OK;
  }

private:
  struct named {
    std::string entry;
    int shared_bytes;
    CUfunction function = nullptr;
  };
  CUmodule module_;
  std::mutex mutex_;
  std::vector<named> functions_;
};

class cuda_context final : public context {
public:
  /// A device's primary context is given back at the end, a caller's is not.
  cuda_context(CUcontext context, std::optional<CUdevice> primary) noexcept
      : context_(context), primary_(primary) {}
  ~cuda_context() override {
    if (primary_)
      cu().cuDevicePrimaryCtxRelease(*primary_);
  }
  cuda_context(const cuda_context &) = delete;
  cuda_context &operator=(const cuda_context &) = delete;

  heed_code describe(heed_status *status) noexcept {
    CUdevice device = 0;
    if (const heed_code code = enter(status))
      return code;
    const CUresult result = cu().cuCtxGetDevice(&device);
    if (result == success)
      describe(device);
    leave();
    return check(result, "cuCtxGetDevice", status);
  }

  const heed_device_description &description() const noexcept override { return description_; }
  bool has_addresses() const noexcept override { return true; }
  heed_code enter(heed_status *status) noexcept override {
    return check(cu().cuCtxPushCurrent(context_), "cuCtxPushCurrent", status);
  }
  void leave() noexcept override {
    CUcontext left;
    cu().cuCtxPopCurrent(&left);
  }
  void *native() const noexcept override { return context_; }
  void *own_queue() const noexcept override { return nullptr; } // the default stream
  bool serves(const heed_device &device) const noexcept override { return device.context == context_; }
  heed_code keep_queue(void *queue, heed_status *status) noexcept override {
    if (reinterpret_cast<std::uintptr_t>(queue) != stream_per_thread)
      return HEED_OK;
    return fail(status, HEED_INVALID_ARGUMENT)
           << "options: queue of device is CU_STREAM_PER_THREAD, another one in every thread, one stream is "
              "needed; pass a stream of cuStreamCreate, or null for the default one";
  }
  void drop_queue(void *) noexcept override {}

  handle allocate(std::uint64_t bytes) noexcept override {
    CUdeviceptr made = 0;
    return cu().cuMemAlloc(&made, bytes) == success ? made : 0;
  }
  void release(handle memory) noexcept override { cu().cuMemFree(memory); }
  std::int64_t bytes_at(handle) const noexcept override { return too_large; }

  heed_code write(void *queue, handle to, std::uint64_t offset, const void *from, std::uint64_t bytes,
                  bool wait, heed_status *status) noexcept override {
    const CUresult result = cu().cuMemcpyHtoDAsync(to + offset, from, bytes, stream(queue));
    return result == success && wait ? this->wait(queue, status) : check(result, "cuMemcpyHtoDAsync", status);
  }
  heed_code read(void *queue, handle from, std::uint64_t offset, void *to, std::uint64_t bytes,
                 heed_status *status) noexcept override {
    return check(cu().cuMemcpyDtoHAsync(to, from + offset, bytes, stream(queue)), "cuMemcpyDtoHAsync",
                 status);
  }
  /// Word by word, since a copy from memory of the host may wait for the stream; equal words go together.
  heed_code fill(void *queue, handle to, std::uint64_t offset, const std::byte *pattern,
                 heed_status *status) noexcept override {
    constexpr std::size_t count = fill_bytes / sizeof(unsigned);
    unsigned words[count];
    std::memcpy(words, pattern, fill_bytes);
    for (std::size_t from = 0, next; from < count; from = next) {
      for (next = from + 1; next < count && words[next] == words[from];)
        ++next;
      if (const CUresult result = cu().cuMemsetD32Async(to + offset + from * sizeof(unsigned), words[from],
                                                        next - from, stream(queue)))
        return check(result, "cuMemsetD32Async", status);
    }
    return HEED_OK;
  }
  heed_code submit(void *, heed_status *) noexcept override { return HEED_OK; }
  heed_code wait(void *queue, heed_status *status) noexcept override {
    return check(cu().cuStreamSynchronize(stream(queue)), "cuStreamSynchronize", status);
  }

  heed_code load(const char *code, std::size_t size, std::unique_ptr<module> &loaded,
                 heed_status *status) override {
    const std::string ptx = with_declared_shared_memory({code, strnlen(code, size)});
    char log[2048] = {};
    int options[] = {jit_error_log, jit_error_log_bytes};
    void *values[] = {log, reinterpret_cast<void *>(sizeof log - 1)};
    CUmodule made = nullptr;
    const CUresult result = cu().cuModuleLoadDataEx(&made, ptx.c_str(), 2, options, values);
    if (result != success)
      return report_build(result, log, status);
    loaded = std::make_unique<cuda_module>(made);
    return HEED_OK;
  }

  heed_code run(void *queue, module &code, const kernel_start &start, heed_status *status) override {
    if (start.blocks[1] > most_blocks || start.blocks[2] > most_blocks)
      return fail(status, HEED_UNSUPPORTED)
             << "cuda: the grid of " << start.entry << " has " << start.blocks[1] << " x " << start.blocks[2]
             << " blocks along its last axes, at most " << most_blocks
             << " of each are supported; call on parts of the batch";
    CUfunction function = nullptr;
    if (const heed_code failed =
            static_cast<cuda_module &>(code).find(start.entry, start.shared_bytes, function, status))
      return failed;
    std::size_t count = 0;
    while (start.sizes[count])
      ++count;
    std::vector<CUdeviceptr> addresses(count);
    std::vector<void *> arguments(start.arguments, start.arguments + count);
    for (std::size_t i = 0; i < count; ++i)
      if (start.are_buffers[i]) {
        addresses[i] = static_cast<const heed_buffer *>(arguments[i])->device;
        arguments[i] = &addresses[i];
      }
    const auto size = [](const int (&of)[3], int axis) { return static_cast<unsigned>(of[axis]); };
    return check(cu().cuLaunchKernel(function, size(start.blocks, 0), size(start.blocks, 1),
                                     size(start.blocks, 2), size(start.threads, 0), size(start.threads, 1),
                                     size(start.threads, 2), static_cast<unsigned>(start.shared_bytes),
                                     stream(queue), arguments.data(), nullptr),
                 "cuLaunchKernel", status);
  }

private:
  void describe(CUdevice device) noexcept {
    cu().cuDeviceGetName(description_.name, sizeof description_.name, device);
    std::size_t bytes = 0;
    cu().cuDeviceTotalMem(&bytes, device);
    const auto attribute = [&](int which) {
      int value = 0;
      cu().cuDeviceGetAttribute(&value, which, device);
      return value;
    };
    description_.memory_bytes = static_cast<std::int64_t>(bytes);
    description_.shared_bytes = attribute(attribute_max_shared_memory_per_block_optin);
    description_.block_threads = attribute(attribute_max_threads_per_block);
    description_.has_double = 1;
    description_.compute_capability =
        10 * attribute(attribute_compute_capability_major) + attribute(attribute_compute_capability_minor);
  }

  heed_code report_build(CUresult result, const char *log, heed_status *status) const noexcept {
    if (*log == 0)
      return check(result, "cuModuleLoadDataEx", status);
    return fail(status, HEED_UNSUPPORTED)
           << "cuda: cuModuleLoadDataEx returned " << result << " (" << name_of(result)
           << "), 0 is needed; update the driver, or compile for the CPU; its log: " << log;
  }

  CUcontext context_;
  std::optional<CUdevice> primary_;
  heed_device_description description_{};
};

heed_code count_devices(int &count, heed_status *status) noexcept {
  count = 0;
  if (!cu().complete)
    return fail(status, HEED_UNSUPPORTED)
           << "cuda: libcuda.so.1 was not found, it is needed; install NVIDIA's driver, or compile for the "
              "CPU, too, and set options.allow_cpu";
  const CUresult result = cu().cuInit(0);
  if (result == no_device)
    return HEED_OK;
  if (result != success)
    return check(result, "cuInit", status);
  return check(cu().cuDeviceGetCount(&count), "cuDeviceGetCount", status);
}

heed_code wrap(CUcontext context, std::optional<CUdevice> primary, std::shared_ptr<device::context> &wrapped,
               heed_status *status) {
  auto made = std::make_shared<cuda_context>(context, primary);
  const heed_code code = made->describe(status);
  if (!code)
    wrapped = std::move(made);
  return code;
}

} // namespace
} // namespace cuda

using namespace cuda;

heed_code open_cuda(std::int32_t index, std::shared_ptr<context> &opened, heed_status *status) {
  int count;
  if (const heed_code code = count_devices(count, status))
    return code;
  if (count == 0)
    return fail(status, HEED_UNSUPPORTED) << "cuda: no device was found, one is needed; install a driver, or "
                                             "compile for the CPU, too, and set "
                                             "options.allow_cpu";
  if (index < 0 || index >= count)
    return fail(status, HEED_UNSUPPORTED) << "cuda: there is no device " << index << ", a number below "
                                          << count << " is needed; use 0 for the first";
  CUdevice device = 0;
  if (const heed_code code = check(cu().cuDeviceGet(&device, index), "cuDeviceGet", status))
    return code;
  CUcontext context = nullptr;
  const CUresult result = cu().cuDevicePrimaryCtxRetain(&context, device);
  if (const heed_code code = check(result, "cuDevicePrimaryCtxRetain", status))
    return code;
  return wrap(context, device, opened, status);
}

heed_code wrap_cuda(const heed_device &device, std::shared_ptr<context> &wrapped, heed_status *status) {
  int count;
  if (const heed_code code = count_devices(count, status))
    return code;
  return wrap(static_cast<CUcontext>(device.context), std::nullopt, wrapped, status);
}

} // namespace heed::runtime::device
