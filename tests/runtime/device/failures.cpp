/// What can't run on a device, in words; and the CPU in its place, where that is allowed.

#include "opencl.hpp"

using namespace heed::test;

namespace {

struct fixture {
  fixture(heed_tile_function function = scale) : kernel(function) {}
  heed_status call(const heed_program &program, const heed_options &options = {}) {
    return run(program, {heed::view{x.data(), {3, 5}}, kernel.factor_view(), heed::view{y.data(), {3, 5}}},
               options);
  }
  /// The same for the CPU.
  static int scale_on_cpu(void **args) {
    const heed_buffer &x = buffer_at(args, 1), &factor = buffer_at(args, 2), &y = buffer_at(args, 3);
    for (int i = 0; i < extent_of(y, 0); ++i)
      element(y, {i, 0, 0}) = element(x, {i, 0, 0}) * element(factor, {0, 0, 0}) + 1;
    return 0;
  }

  scale_rows kernel, on_cpu{scale_on_cpu};
  std::vector<float> x = counting(15);
  guarded y{15};
};

} // namespace

TEST_CASE("device: code that the driver doesn't compile") {
  if (!has_opencl())
    return;
  fixture f(broken);
  const heed_status status = f.call(for_opencl(f.kernel.t));
  CHECK(status.code == HEED_UNSUPPORTED);
  CHECK(std::string(status.message)
            .starts_with(
                "opencl: clBuildProgram returned -11, 0 is needed; update the driver, or compile for the "
                "CPU; its log: "));
  CHECK(f.call(for_opencl(f.kernel.t)).code == HEED_UNSUPPORTED); // and again
}

TEST_CASE("device: blocks that are too large") {
  if (!has_opencl())
    return;
  fixture f(greedy);
  const heed_status status = f.call(for_opencl(f.kernel.t));
  CHECK(status.code == HEED_UNSUPPORTED);
  CHECK(std::string(status.message).starts_with("tile: a block of it shares 1073741824 bytes, at most "));
}

TEST_CASE_METHOD(fixture, "device: a number that no device has") {
  if (!has_opencl())
    return;
  const heed_device device{HEED_DEVICE_OPENCL, 1000, nullptr, nullptr};
  const heed_status status = call(for_opencl(kernel.t), heed::options{.device = &device});
  CHECK(status.code == HEED_UNSUPPORTED);
  CHECK(std::string(status.message).starts_with("opencl: there is no device 1000, a number below "));
}

TEST_CASE_METHOD(fixture, "device: an interface that programs can be made for and nothing here runs") {
  heed_program program = kernel.t.program();
  program.device_api = HEED_DEVICE_METAL;
  const heed_status status = call(program);
  CHECK(status.code == HEED_UNSUPPORTED);
  CHECK(std::string(status.message).starts_with("metal: this runtime runs no code for it, opencl"));
}

TEST_CASE_METHOD(fixture, "device: the interface of the options is another than the program's") {
  const heed_device cuda{HEED_DEVICE_CUDA, 0, nullptr, nullptr}, none{99, 0, nullptr, nullptr};
  check_refused(
      call(for_opencl(kernel.t), heed::options{.device = &cuda}), HEED_UNSUPPORTED,
      "kernel: it is compiled for any-opencl, the device of options is of cuda; compile it for that, or "
      "pass another device");
  check_refused(
      call(on_cpu.t.program(), heed::options{.device = &cuda}), HEED_UNSUPPORTED,
      "kernel: it is compiled for any, the device of options is of cuda; compile it for that, or pass "
      "another device");
  check_refused(
      call(for_opencl(kernel.t), heed::options{.device = &none}), HEED_INVALID_ARGUMENT,
      "kernel: it is compiled for any-opencl, the device of options is of no known interface; compile it "
      "for that, or pass another device");
}

TEST_CASE_METHOD(fixture, "device: the CPU runs a call only where that is allowed") {
  const heed_program cpu = on_cpu.t.program();
  const heed_device missing{HEED_DEVICE_OPENCL, 1000, nullptr, nullptr};
  const heed_program program = for_opencl(kernel.t, &cpu);
  CHECK(call(program, heed::options{.device = &missing}).code == HEED_UNSUPPORTED);
  CHECK(std::isnan(y[14]));
  const heed_status status = call(program, heed::options{.device = &missing, .allow_cpu = true});
  CHECK(std::string(status.message) == "untouched");
  REQUIRE(status.code == HEED_OK);
  CHECK(y[14] == 43);
}

TEST_CASE_METHOD(fixture, "device: a chain runs on the device that is there") {
  if (!has_opencl())
    return;
  const heed_program cpu = on_cpu.t.program();
  const heed_program opencl = for_opencl(kernel.t, &cpu);
  heed_program first = opencl;
  first.device_api = HEED_DEVICE_METAL;
  first.otherwise = &opencl;
  CHECK(heed_select_program(&first, nullptr) == &opencl);
  CHECK(call(first).code == HEED_OK);
  CHECK(y[14] == 43);
}

TEST_CASE("device: names of interfaces") {
  CHECK(std::string(heed_device_api_name(HEED_DEVICE_OPENCL)) == "opencl");
  CHECK(std::string(heed_device_api_name(HEED_DEVICE_METAL)) == "metal");
  CHECK(heed_device_api_name(5) == nullptr);
  CHECK(heed_device_api_name(-1) == nullptr);
}
