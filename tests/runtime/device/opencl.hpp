#pragma once
/// \file
/// An OpenCL device to test with, where there is one.

#include "functions.hpp"

namespace heed::test {

inline constexpr heed_device first_opencl{HEED_DEVICE_OPENCL, 0, nullptr, nullptr};

/// Whether a test can run; says why not.
inline bool has_opencl() {
  heed_device_description description;
  heed_status status;
  if (heed_device_describe(&first_opencl, &description, &status) == HEED_OK)
    return true;
  WARN("not tested: " << status.message);
  return false;
}

/// The program of a table for a device.
inline heed_program for_opencl(const table &t, const heed_program *otherwise = nullptr) {
  heed_program program = t.program(HEED_CPU_ANY, otherwise);
  program.device_api = HEED_DEVICE_OPENCL;
  return program;
}

/// Memory of the device, and a view of it.
class on_device {
public:
  explicit on_device(const std::vector<float> &values, const heed_device &device = first_opencl)
      : device_(device), count_(values.size()) {
    heed_status status;
    REQUIRE(heed_device_allocate(&device_, count_ * sizeof(float), &memory_, &status) == HEED_OK);
    REQUIRE(heed_device_write(&device_, memory_, 0, values.data(), count_ * sizeof(float), &status) ==
            HEED_OK);
  }
  ~on_device() { heed_device_release(&device_, memory_); }
  on_device(const on_device &) = delete;
  on_device &operator=(const on_device &) = delete;

  heed_view view(heed_view shape, std::int64_t first = 0) const {
    shape.data = memory_;
    shape.memory = HEED_MEMORY_DEVICE;
    shape.first = first;
    return shape;
  }
  std::vector<float> values() const {
    std::vector<float> result(count_);
    heed_status status;
    REQUIRE(heed_device_read(&device_, memory_, 0, result.data(), count_ * sizeof(float), &status) ==
            HEED_OK);
    return result;
  }

private:
  heed_device device_;
  std::size_t count_;
  void *memory_ = nullptr;
};

/// y(rows, n) = scale(x(rows, n)), a row per tile.
struct scale_rows {
  scale_rows(heed_tile_function function = scale) {
    const number rows = t.symbol("rows"), n = t.symbol("n");
    const number x = t.input("x", {rows, n}), factor = t.scalar("factor", HEED_F32),
                 y = t.output("y", {rows, n});
    t.step({{function,
             {{rows, 0, 1}},
             {operand(x, 1, {axis(n, 1), axis(rows, 0, 0)}), operand(factor, 0, {}),
              written(y, 1, {axis(n, 1), axis(rows, 0, 0)})}}});
  }
  table t;
  float factor = 3;
  heed_view factor_view() { return heed::view{&factor}; }
};

} // namespace heed::test
