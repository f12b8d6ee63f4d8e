#include "Measure/DeviceArguments.h"

#include "Support/ToolError.h"
#include "heed/device.h"

namespace heed::tools {

namespace {

void require(std::int32_t code, const heed_status &status) {
  if (code != HEED_OK)
    throw ToolError(status.message);
}

std::uint64_t bytesOf(const heed_view &view) {
  static constexpr std::uint64_t sizes[] = {1, 4, 8, 2, 2, 4, 8}; // in the order of heed_dtype
  std::uint64_t elements = 1;
  for (std::int32_t axis = 0; axis < view.rank; ++axis)
    elements *= static_cast<std::uint64_t>(view.extents[axis]);
  return elements * sizes[view.dtype];
}

} // namespace

DeviceArguments::DeviceArguments(const Target &target, std::span<const heed_view> arguments) {
  heed_status status = {};
  device.api = target.device;
  for (heed_view view : arguments) {
    const std::uint64_t bytes = bytesOf(view);
    if (view.rank > 0 && bytes > 0) {
      void *memory = nullptr;
      require(heed_device_allocate(&device, bytes, &memory, &status), status);
      require(heed_device_write(&device, memory, 0, view.data, bytes, &status), status);
      view.data = memory;
      view.memory = HEED_MEMORY_DEVICE;
    }
    copies.push_back(view);
  }
}

DeviceArguments::~DeviceArguments() {
  heed_device_wait(&device, nullptr);
  for (const heed_view &view : copies)
    if (view.memory == HEED_MEMORY_DEVICE)
      heed_device_release(&device, view.data);
}

void DeviceArguments::wait() const {
  heed_status status = {};
  require(heed_device_wait(&device, &status), status);
}

std::string deviceName(const Target &target) {
  heed_device device = {};
  device.api = target.device;
  heed_device_description description = {};
  heed_status status = {};
  require(heed_device_describe(&device, &description, &status), status);
  return description.name;
}

bool isCpu(const Target &target) {
  if (!target.isDevice())
    return true;
  const std::string name = deviceName(target);
  return name.starts_with("pthread") || name.starts_with("cpu") || name.starts_with("llvmpipe");
}

} // namespace heed::tools
