// A machine without a driver for Vulkan. A program's run hides what this machine has.
#include "heed/device.h"

#include <catch2/catch.hpp>
#include <string>

TEST_CASE("vulkan: without a driver a call is refused in words") {
  const heed_device device{HEED_DEVICE_VULKAN, 0, nullptr, nullptr};
  heed_device_description description;
  heed_status status{};
  CHECK(heed_device_describe(&device, &description, &status) == HEED_UNSUPPORTED);
  CHECK(std::string(status.message).find("vulkan: ") == 0);
  CHECK(std::string(status.message).find("; install ") != std::string::npos);
}
