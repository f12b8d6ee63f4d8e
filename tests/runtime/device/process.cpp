// A process of its own, since what drivers there are is found once in one. Calls y = 3 x + 1 on the interface
// that its argument names and prints the code, the last element of y and the message; with ALLOW_CPU set, a
// program for the CPU stands behind the device's. Then the same with memory on the device.

#include <heed/device.h>
#include <heed/runtime.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr int count = 10;

const heed_buffer &buffer_at(void **args, int index) { return *static_cast<heed_buffer *>(args[index]); }

int on_device(void **args) {
  const char *const code = std::getenv("CODE") ? std::getenv("CODE") : "scale";
  void *const context = *static_cast<void **>(args[0]);
  if (const int failed = heed_device_load(context, nullptr, code, static_cast<int>(std::strlen(code)) + 1))
    return failed;
  int extent = buffer_at(args, 4).dim[0].extent;
  const void *arguments[] = {args[3], args[4], args[1], args[2], &extent, nullptr};
  const std::uint64_t sizes[] = {8, 8, 4, 4, 4, 0};
  const std::int8_t are_buffers[] = {1, 1, 0, 0, 0, 0};
  const char *const shared = std::getenv("SHARED");
  return heed_device_run(context, nullptr, "scale", 2, 1, 1, 8, 1, 1, shared ? std::atoi(shared) : 32, sizes,
                         const_cast<void **>(arguments), are_buffers);
}

int on_cpu(void **args) {
  const auto *x = reinterpret_cast<const float *>(buffer_at(args, 1).host);
  auto *y = reinterpret_cast<float *>(buffer_at(args, 2).host);
  for (int i = 0; i < count; ++i)
    y[i] = 3 * x[i] + 1;
  return 0;
}

constexpr heed_extent extents[] = {{1, 1, 0, 0, {}}, {count, 1, 0, 0, {}}};
constexpr heed_argument arguments[] = {{"x", HEED_INPUT, HEED_F32, 1, {1}},
                                       {"y", HEED_OUTPUT, HEED_F32, 1, {1}}};
constexpr heed_operand operands[] = {{0, 1, 1, 0, {{1, 0, 0, -1, 0}}, 0, {}},
                                     {1, 1, 1, 1, {{1, 0, 0, -1, 0}}, 0, {}}};

struct program_of {
  explicit program_of(heed_tile_function function, heed_device_api api, const heed_program *otherwise) {
    launch.function = function;
    launch.name = "scale";
    launch.operand_count = 2;
    launch.operands = operands;
    alternative = {-1, 0, {}, 1, &launch};
    step = {1, &alternative};
    program.version = HEED_ABI_VERSION;
    program.name = "kernel";
    program.extent_count = 2;
    program.argument_count = 2;
    program.step_count = 1;
    program.extents = extents;
    program.arguments = arguments;
    program.steps = &step;
    program.device_api = static_cast<std::uint8_t>(api);
    program.otherwise = otherwise;
  }
  heed_launch launch{};
  heed_alternative alternative{};
  heed_step step{};
  heed_program program{};
};

void print(const heed::status &status, float last) {
  std::printf("%d %g %s\n", status.code(), static_cast<double>(last), status.message());
}

} // namespace

int main(int, char **argv) {
  const heed_device device{std::string_view(argv[1]) == "cuda" ? HEED_DEVICE_CUDA : HEED_DEVICE_OPENCL, 0,
                           nullptr, nullptr};
  const bool allow_cpu = std::getenv("ALLOW_CPU") != nullptr;
  const program_of cpu(on_cpu, HEED_DEVICE_NONE, nullptr);
  const program_of kernel(on_device, static_cast<heed_device_api>(device.api), &cpu.program);
  float x[count], y[count] = {};
  for (int i = 0; i < count; ++i)
    x[i] = static_cast<float>(i);
  const heed_view views[] = {heed::view<const float, 1>{x, {count}}, heed::view<float, 1>{y, {count}}};
  heed::status status = heed::call(kernel.program, views, {.allow_cpu = allow_cpu});
  print(status, y[count - 1]);

  void *memory = nullptr;
  if (heed_device_allocate(&device, sizeof x + sizeof y, &memory, status.c_status()) != HEED_OK) {
    print(status, 0);
    return 0;
  }
  heed_device_write(&device, memory, 0, x, sizeof x, nullptr);
  const heed_view there[] = {heed::view<const float, 1>{heed::device_memory{memory}, {count}},
                             heed::view<float, 1>{heed::device_memory{memory, count}, {count}}};
  y[count - 1] = 0;
  status = heed::call(kernel.program, there, {.device = &device});
  heed_device_read(&device, memory, sizeof x, y, sizeof y, nullptr);
  print(status, y[count - 1]);
  heed_device_release(&device, memory);
  heed_device_forget(&device);
  return 0;
}
