#include "vulkan_devices.hpp"

#include "sentence.hpp"

#include <algorithm>
#include <cstring>

namespace heed::runtime::device::vulkan {
namespace {

/// The process' instance, which stays; null without a driver.
VkInstance instance() noexcept {
  static const VkInstance made = [] {
    VkApplicationInfo application{};
    application.application_name = application.engine_name = "heed";
    application.api_version = version_1_2;
    VkInstanceCreateInfo info{};
    info.application = &application;
    VkInstance instance = nullptr;
    return vk().vkCreateInstance(&info, nullptr, &instance) == success ? instance : nullptr;
  }();
  return made;
}

bool find_queue_family(physical_device &device) {
  std::uint32_t count = 0;
  vk().vkGetPhysicalDeviceQueueFamilyProperties(device.native, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk().vkGetPhysicalDeviceQueueFamilyProperties(device.native, &count, families.data());
  const auto computes =
      std::find_if(families.begin(), families.end(), [](const VkQueueFamilyProperties &one) {
        return one.flags & queue_compute && one.count > 0;
      });
  device.queue_family = static_cast<std::uint32_t>(computes - families.begin());
  return computes != families.end();
}

void find_features(physical_device &device) noexcept {
  VkPhysicalDeviceVulkan12Features features12{};
  VkPhysicalDeviceVulkan11Features features11{};
  features11.next = &features12;
  VkPhysicalDeviceFeatures2 features{};
  features.next = &features11;
  vk().vkGetPhysicalDeviceFeatures2(device.native, &features);
  device.has_double = features.features.shader_float64;
  device.has_int64 = features.features.shader_int64;
  device.has_int16 = features.features.shader_int16;
  device.has_int8 = features12.shader_int8;
  device.stores16 = features11.storage16 && features11.uniform_and_storage16;
  device.stores8 = features12.storage8 && features12.uniform_and_storage8;
}

int order(const physical_device &device) noexcept {
  switch (device.properties.type) {
  case type_discrete_gpu:
    return 0;
  case type_integrated_gpu:
    return 1;
  case type_cpu:
    return 3;
  default:
    return 2;
  }
}

std::vector<physical_device> all_devices() {
  std::vector<physical_device> all;
  std::uint32_t count = 0;
  if (!instance() || vk().vkEnumeratePhysicalDevices(instance(), &count, nullptr) != success || count == 0)
    return all;
  std::vector<VkPhysicalDevice> natives(count);
  if (vk().vkEnumeratePhysicalDevices(instance(), &count, natives.data()) != success)
    return all;
  for (std::uint32_t d = 0; d < count; ++d) {
    physical_device device{};
    device.native = natives[d];
    vk().vkGetPhysicalDeviceProperties(device.native, &device.properties);
    if (device.properties.api_version < version_1_2 || !find_queue_family(device))
      continue;
    vk().vkGetPhysicalDeviceMemoryProperties(device.native, &device.memory);
    find_features(device);
    all.push_back(device);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const physical_device &a, const physical_device &b) { return order(a) < order(b); });
  return all;
}

} // namespace

void physical_device::describe(heed_device_description &description) const noexcept {
  description = {};
  std::memcpy(description.name, properties.name,
              strnlen(properties.name, std::min(sizeof properties.name, sizeof description.name - 1)));
  for (std::uint32_t h = 0; h < memory.heap_count; ++h)
    if (memory.heaps[h].flags & heap_device_local)
      description.memory_bytes =
          std::max(description.memory_bytes, static_cast<std::int64_t>(memory.heaps[h].bytes));
  description.shared_bytes = properties.max_shared_bytes;
  description.block_threads = static_cast<std::int32_t>(properties.max_block_threads);
  description.has_double = has_double;
}

std::uint32_t physical_device::memory_type(std::uint32_t types, VkFlags flags) const noexcept {
  for (std::uint32_t t = 0; t < memory.type_count; ++t)
    if (types >> t & 1 && (memory.types[t].flags & flags) == flags)
      return t;
  return no_memory_type;
}

heed_code physical_device::open(VkDevice &device, VkQueue &queue, heed_status *status) const noexcept {
  VkPhysicalDeviceVulkan12Features features12{};
  features12.shader_int8 = has_int8;
  features12.storage8 = features12.uniform_and_storage8 = stores8;
  VkPhysicalDeviceVulkan11Features features11{};
  features11.next = &features12;
  features11.storage16 = features11.uniform_and_storage16 = stores16;
  VkPhysicalDeviceFeatures2 features{};
  features.next = &features11;
  features.features.shader_float64 = has_double;
  features.features.shader_int64 = has_int64;
  features.features.shader_int16 = has_int16;
  constexpr float priority = 1;
  VkDeviceQueueCreateInfo queues{};
  queues.family = queue_family;
  queues.count = 1;
  queues.priorities = &priority;
  VkDeviceCreateInfo info{};
  info.next = &features;
  info.queue_count = 1;
  info.queues = &queues;
  if (const VkResult result = vk().vkCreateDevice(native, &info, nullptr, &device))
    return check(result, "vkCreateDevice", status);
  vk().vkGetDeviceQueue(device, queue_family, 0, &queue);
  return HEED_OK;
}

heed_code physical_device::check_capabilities(const std::vector<std::uint32_t> &capabilities,
                                              heed_status *status) const noexcept {
  const struct {
    std::uint32_t capability;
    bool found;
    const char *feature;
  } features[] = {{10, has_double, "shaderFloat64"},
                  {11, has_int64, "shaderInt64"},
                  {22, has_int16, "shaderInt16"},
                  {39, has_int8, "shaderInt8"},
                  {4433, stores16, "storageBuffer16BitAccess"},
                  {4434, stores16, "uniformAndStorageBuffer16BitAccess"},
                  {4448, stores8, "storageBuffer8BitAccess"},
                  {4449, stores8, "uniformAndStorageBuffer8BitAccess"}};
  for (const auto &feature : features)
    if (!feature.found &&
        std::find(capabilities.begin(), capabilities.end(), feature.capability) != capabilities.end())
      return fail(status, HEED_UNSUPPORTED)
             << "vulkan: " << properties.name << " lacks " << feature.feature
             << ", which a kernel needs; use other types, or call on another device";
  return HEED_OK;
}

heed_code find_device(std::int32_t index, physical_device &device, heed_status *status) {
  if (!vk().complete)
    return fail(status, HEED_UNSUPPORTED)
           << "vulkan: libvulkan.so.1 of Vulkan 1.2 was not found, it is needed; install a Vulkan driver, or "
              "compile for the CPU, too, and set options.allow_cpu";
  const std::vector<physical_device> devices = all_devices();
  if (devices.empty())
    return fail(status, HEED_UNSUPPORTED) << "vulkan: no device of Vulkan 1.2 was found, one is needed; "
                                             "install a driver, or compile for the "
                                             "CPU, too, and set options.allow_cpu";
  if (index < 0 || static_cast<std::size_t>(index) >= devices.size())
    return fail(status, HEED_UNSUPPORTED) << "vulkan: there is no device " << index << ", a number below "
                                          << devices.size() << " is needed; use 0 for the first";
  device = devices[static_cast<std::size_t>(index)];
  return HEED_OK;
}

} // namespace heed::runtime::device::vulkan
