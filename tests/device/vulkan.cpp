// Vulkan: memory that the runtime allocates, calls in its queue, and what is refused in words.
#include "Kernels.h"

#include "heed/device.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <heed/dsl.hpp>

using namespace heed;
using heed::tests::Array;
using heed::tests::denseView;
using heed::tests::Kernels;
using heed::tests::Shape;

namespace {

constexpr heed::extent rows{"rows"};
constexpr kernel layers{"layers", [](graph &g) {
                          tensor x = g.input("x", f32, {rows, 24});
                          tensor hidden = linear(x, g.weight("up", f32, {40, 24}));
                          g.output("y", softmax(linear(max(hidden, 0), g.weight("down", f32, {24, 40}))));
                        }};

const Kernels &compiled() {
  static const Kernels kernels({&layers}, {}, "host-vulkan");
  return kernels;
}

std::string call(const std::vector<heed_view> &views, const heed_device &device) {
  const heed_options options{0, nullptr, nullptr, &device, 0};
  return compiled().library().call("layers", views, &options);
}

/// The runtime's first device, by its own context and queue.
heed_device opened() {
  heed_device device{HEED_DEVICE_VULKAN, 0, nullptr, nullptr};
  heed_status status{};
  REQUIRE(heed_device_open(&device, &status) == HEED_OK);
  return device;
}

/// A tensor in the device's memory, `guard` elements of NaN before and behind it.
class DeviceTensor {
public:
  DeviceTensor(const heed_device &device, const Array &values)
      : device(device), values(values), all(size_t(elements() + 2 * guard), NAN) {
    std::memcpy(all.data() + guard, values.host().bytes.data(), values.host().bytes.size());
    REQUIRE(heed_device_allocate(&device, bytes(), &memory, nullptr) == HEED_OK);
    REQUIRE(heed_device_write(&device, memory, 0, all.data(), bytes(), nullptr) == HEED_OK);
  }
  ~DeviceTensor() { heed_device_release(&device, memory); }
  DeviceTensor(const DeviceTensor &) = delete;

  heed_view view() const {
    heed_view view = denseView(memory, spec::dtype::f32, values.shape());
    view.memory = HEED_MEMORY_DEVICE;
    view.first = guard;
    return view;
  }
  std::vector<float> read() {
    REQUIRE(heed_device_read(&device, memory, 0, all.data(), bytes(), nullptr) == HEED_OK);
    for (int64_t i = 0; i < guard; ++i)
      REQUIRE((std::isnan(all[size_t(i)]) && std::isnan(all[all.size() - 1 - size_t(i)])));
    return {all.begin() + guard, all.end() - guard};
  }

private:
  static constexpr int64_t guard = 37;
  int64_t elements() const { return int64_t(values.host().bytes.size() / sizeof(float)); }
  uint64_t bytes() const { return all.size() * sizeof(float); }

  const heed_device &device;
  Array values;
  std::vector<float> all;
  void *memory = nullptr;
};

struct Arguments {
  Array x, up = Array::random({40, 24}, 2), down = Array::random({24, 40}, 3);
  explicit Arguments(int64_t count) : x(Array::random({count, 24}, 1)) {}
};

std::vector<float> floats(const Array &array) {
  std::vector<float> values(array.host().bytes.size() / sizeof(float));
  std::memcpy(values.data(), array.host().bytes.data(), array.host().bytes.size());
  return values;
}

} // namespace

TEST_CASE("vulkan: calls in the device's memory, one after the other, give the same bits as in the host's") {
  const int64_t count = GENERATE(1, 9, 200);
  const Arguments arguments(count);
  const heed_device device = opened();
  const Array nan = Array::filled({count, 24}, NAN);
  DeviceTensor x(device, arguments.x), up(device, arguments.up), down(device, arguments.down),
      first(device, nan), second(device, nan);
  REQUIRE(call({x.view(), up.view(), down.view(), first.view()}, device) == "");
  REQUIRE(call({first.view(), up.view(), down.view(), second.view()}, device) == "");
  const Array expected = compiled()(layers, {arguments.x, arguments.up, arguments.down});
  CHECK(first.read() == floats(expected));
  CHECK(second.read() == floats(compiled()(layers, {expected, arguments.up, arguments.down})));
}

TEST_CASE("vulkan: memory that is too small or none of the runtime's is refused in words") {
  const Arguments arguments(9);
  const heed_device device = opened();
  DeviceTensor x(device, arguments.x), up(device, arguments.up), down(device, arguments.down),
      y(device, Array::filled({9, 24}, NAN));
  heed_view beyond = y.view();
  SECTION("too small") { beyond.first += 38; }
  SECTION("unknown") { beyond.data = &beyond; }
  const std::string message = call({x.view(), up.view(), down.view(), beyond}, device);
  INFO(message);
  CHECK(message.find("y: its memory on the device holds ") == 0);
  for (const float value : y.read())
    CHECK(std::isnan(value));
}

TEST_CASE("vulkan: a caller's own device is refused in words") {
  int mine = 0;
  const heed_device device{HEED_DEVICE_VULKAN, 0, &mine, &mine};
  heed_device_description description;
  heed_status status{};
  CHECK(heed_device_describe(&device, &description, &status) == HEED_UNSUPPORTED);
  CHECK(std::string(status.message).find("options: device has a VkDevice") == 0);
}

TEST_CASE("vulkan: a device that isn't there is refused in words") {
  const heed_device device{HEED_DEVICE_VULKAN, 1000, nullptr, nullptr};
  heed_device_description description;
  heed_status status{};
  CHECK(heed_device_describe(&device, &description, &status) == HEED_UNSUPPORTED);
  CHECK(std::string(status.message).find("vulkan: there is no device 1000") == 0);
}
