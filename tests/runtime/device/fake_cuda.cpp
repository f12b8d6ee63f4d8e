// Stands in for CUDA's driver where there is none: one device, whose memory is the host's and which knows one
// kernel. It refuses what a driver refuses: work without a current context, shared memory that a function did
// not ask for, code with an error in it.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

namespace {

using result = int;
constexpr result success = 0, invalid_value = 1, no_memory = 2, invalid_context = 201, invalid_code = 218,
                 not_found = 500;

int the_context, the_module, the_function;
int depth = 0, allowed_shared = 48 << 10, modules = 0, retained = 0;
std::set<std::uint64_t> allocations;

/// At the end of the process: everything was given back.
struct balance {
  ~balance() {
    if (depth != 0 || modules != 0 || retained != 0 || !allocations.empty())
      std::printf("left: %d contexts, %d modules, %d references, %zu allocations\n", depth, modules, retained,
                  allocations.size());
  }
} balance;

result in_context() { return depth > 0 ? success : invalid_context; }

} // namespace

extern "C" {
result cuInit(unsigned) { return std::getenv("NO_DEVICE") ? 100 : success; }
result cuGetErrorName(result, const char **name) {
  *name = "CUDA_ERROR_OF_A_KIND";
  return success;
}
result cuDeviceGetCount(int *count) {
  *count = 1;
  return success;
}
result cuDeviceGet(int *device, int) {
  *device = 7;
  return success;
}
result cuDeviceGetName(char *name, int, int) {
  std::strcpy(name, "fake");
  return success;
}
result cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 97 ? 99 << 10 : attribute == 1 ? 1024 : attribute == 75 ? 9 : 0;
  return success;
}
result cuDeviceTotalMem_v2(std::size_t *bytes, int) {
  *bytes = std::size_t{1} << 30;
  return success;
}
result cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &the_context;
  retained += device == 7;
  return device == 7 ? success : invalid_value;
}
result cuDevicePrimaryCtxRelease_v2(int device) {
  retained -= device == 7;
  return device == 7 ? success : invalid_value;
}
result cuCtxPushCurrent_v2(void *context) {
  depth += context == &the_context;
  return context == &the_context ? success : invalid_context;
}
result cuCtxPopCurrent_v2(void **context) {
  *context = &the_context;
  --depth;
  return success;
}
result cuCtxGetDevice(int *device) {
  *device = 7;
  return in_context();
}
result cuMemAlloc_v2(std::uint64_t *address, std::size_t bytes) {
  if (in_context())
    return invalid_context;
  *address = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
  allocations.insert(*address);
  return *address ? success : no_memory;
}
result cuMemFree_v2(std::uint64_t address) {
  if (in_context() || !allocations.erase(address))
    return invalid_value;
  std::free(reinterpret_cast<void *>(address));
  return success;
}
result cuMemcpyHtoDAsync_v2(std::uint64_t to, const void *from, std::size_t bytes, void *) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return in_context();
}
result cuMemcpyDtoHAsync_v2(void *to, std::uint64_t from, std::size_t bytes, void *) {
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return in_context();
}
result cuMemsetD32Async(std::uint64_t to, unsigned value, std::size_t count, void *) {
  for (std::size_t i = 0; i < count; ++i)
    reinterpret_cast<unsigned *>(to)[i] = value;
  return in_context();
}
result cuStreamSynchronize(void *) { return in_context(); }
result cuModuleLoadDataEx(void **module, const void *code, unsigned count, int *options, void **values) {
  if (in_context())
    return invalid_context;
  *module = &the_module;
  if (std::strstr(static_cast<const char *>(code), "error")) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::strcpy(static_cast<char *>(values[i]), "line 3: what is this");
    return invalid_code;
  }
  ++modules;
  return success;
}
result cuModuleUnload(void *) {
  --modules;
  return in_context();
}
result cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = &the_function;
  return module == &the_module && std::strcmp(name, "scale") == 0 ? success : not_found;
}
result cuFuncSetAttribute(void *, int attribute, int value) {
  if (attribute != 8 || value > 99 << 10)
    return invalid_value;
  allowed_shared = value;
  return success;
}
result cuLaunchKernel(void *, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned,
                      unsigned shared_bytes, void *, void **arguments, void **) {
  if (in_context() || blocks == 0 || shared_bytes > static_cast<unsigned>(allowed_shared))
    return invalid_value;
  const auto *x = *static_cast<float **>(arguments[0]);
  auto *y = *static_cast<float **>(arguments[1]);
  const int first_x = *static_cast<int *>(arguments[2]), first_y = *static_cast<int *>(arguments[3]),
            extent = *static_cast<int *>(arguments[4]);
  for (int i = 0; i < static_cast<int>(blocks * threads); ++i)
    if (i < extent)
      y[first_y + i] = 3 * x[first_x + i] + 1;
  return success;
}
}
