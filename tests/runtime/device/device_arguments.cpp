/// Arguments on the device: used in place; nothing is waited for.

#include "opencl.hpp"

using namespace heed::test;

TEST_CASE("device: arguments on the device, from an element of their memory on") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  const heed_program program = for_opencl(kernel.t);
  on_device x(counting(40)), y(std::vector<float>(30, -1));
  using float_view = heed::view<float, 2>;
  const auto shape = [](std::int64_t row) { return float_view{nullptr, {3, 5}, {row, 1}}; };
  run_ok(program, {x.view(shape(8), 4), kernel.factor_view(), y.view(shape(7), 2)});
  run_ok(program, {x.view(shape(8), 4), kernel.factor_view(), y.view(shape(7), 2)}); // in order
  const std::vector<float> found = y.values();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t row = (i - 2) / 7, column = (i - 2) % 7;
    const bool inside = i >= 2 && row < 3 && column < 5;
    CHECK(found[i] == (inside ? 3 * static_cast<float>(4 + 8 * row + column) + 1 : -1));
  }
}

TEST_CASE("device: memory of the host and of the device in one call") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  const heed_program program = for_opencl(kernel.t);
  const std::vector<float> values = counting(15);
  on_device x(values), y(std::vector<float>(15, -1));
  using float_view = heed::view<float, 2>;
  const float_view shape{nullptr, {3, 5}};
  std::vector<float> in = values;
  run_ok(program, {float_view{in.data(), {3, 5}}, kernel.factor_view(), y.view(shape)});
  in.assign(15, -7); // was read before the call returned
  guarded out(15);
  run_ok(program, {x.view(shape), kernel.factor_view(), float_view{out.data(), {3, 5}}});
  const std::vector<float> found = y.values();
  for (std::int64_t i = 0; i < 15; ++i) {
    CHECK(found[static_cast<std::size_t>(i)] == 3 * static_cast<float>(i) + 1);
    CHECK(out[i] == 3 * static_cast<float>(i) + 1);
  }
}

TEST_CASE("device: views in C++ carry a handle") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  on_device x(counting(20)), y(std::vector<float>(15));
  void *const from = x.view({}).data, *const to = y.view({}).data;
  const heed::view<const float, 2> in{heed::device_memory{from, 5}, {3, 5}};
  CHECK(in.is_on_device());
  run_ok(for_opencl(kernel.t),
         {in, kernel.factor_view(), heed::view<float, 2>{heed::device_memory{to}, {3, 5}, {5, 1}}});
  CHECK(y.values()[14] == 58);
}

TEST_CASE("device: what is wrong with memory on a device") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  const heed_program program = for_opencl(kernel.t);
  on_device memory(counting(64));
  const heed_view factor = kernel.factor_view();
  const auto view = [&](std::int64_t first) {
    return memory.view(heed::view<float, 2>{nullptr, {3, 5}}, first);
  };
  const auto refused = [&](const std::vector<heed_view> &views, const std::string &words) {
    check_refused(run(program, views), HEED_INVALID_ARGUMENT, words);
  };
  refused({view(50), factor, view(0)},
          "x: its memory on the device holds 256 bytes, 260 are needed for its elements; pass memory of the "
          "queue's context that is large enough");
  refused({view(-1), factor, view(0)},
          "x: it begins at element -1 of its memory, 0 or more is needed; pass the memory that it lies in");
  refused({view(0), factor, view(14)},
          "y: its memory overlaps that of x, an output needs memory of its own; pass a separate buffer");
  run_ok(program, {view(0), factor, view(15)});
  heed_view wrong = view(0);
  wrong.memory = HEED_MEMORY_CUDA;
  refused({wrong, factor, view(15)}, "x: its memory is of CUDA, memory of OpenCL or of the CPU is needed; "
                                     "copy the tensor, or compile for its "
                                     "device");
  wrong.memory = 9;
  refused({wrong, factor, view(15)},
          "x: its memory is number 9, a heed_memory is needed; set memory to HEED_MEMORY_HOST or "
          "HEED_MEMORY_DEVICE");
  heed_view scalar = factor;
  scalar.memory = HEED_MEMORY_DEVICE;
  refused({view(0), scalar, view(15)},
          "factor: its memory is on a device, CPU memory is needed for a scalar; pass it by value");
  wrong = view(0);
  wrong.data = nullptr;
  refused({wrong, factor, view(15)},
          "x: its data is null, memory for its elements is needed; pass a pointer to them");
}
