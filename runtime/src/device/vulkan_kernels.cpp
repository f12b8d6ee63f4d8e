#include "vulkan_kernels.hpp"

#include "sentence.hpp"

#include <algorithm>
#include <utility>

namespace heed::runtime::device::vulkan {
namespace {

/// Numbers that the code leaves open.
struct constants {
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<std::uint32_t> values;

  void set(std::uint32_t id, std::uint32_t value) {
    if (id == 0)
      return;
    entries.push_back({id, static_cast<std::uint32_t>(values.size() * sizeof value), sizeof value});
    values.push_back(value);
  }
};

constants constants_of(const kernel_code &code, const kernel_start &start) {
  constants all;
  for (int axis = 0; axis < 3; ++axis)
    all.set(code.size_constants[axis], static_cast<std::uint32_t>(start.threads[axis]));
  std::uint32_t left = static_cast<std::uint32_t>(start.shared_bytes);
  for (const shared_array &array : code.shared)
    if (array.constant == 0)
      left -= std::min(left, array.element_bytes * array.elements);
  for (const shared_array &array : code.shared)
    if (array.constant != 0 && array.element_bytes > 0)
      all.set(array.constant, left / array.element_bytes);
  return all;
}

} // namespace

kernel::~kernel() {
  for (const sized &one : pipelines_)
    vk().vkDestroyPipeline(device_.native, one.pipeline, nullptr);
  vk().vkDestroyPipelineLayout(device_.native, layout_, nullptr);
  vk().vkDestroyDescriptorSetLayout(device_.native, set_layout_, nullptr);
  vk().vkDestroyShaderModule(device_.native, module_, nullptr);
}

heed_code kernel::create(heed_status *status) {
  if (const heed_code code = device_.physical.check_capabilities(capabilities(code_.spirv), status))
    return code;
  VkShaderModuleCreateInfo module{};
  module.bytes = code_.spirv.size() * sizeof(std::uint32_t);
  module.code = code_.spirv.data();
  if (const VkResult result = vk().vkCreateShaderModule(device_.native, &module, nullptr, &module_))
    return check(result, "vkCreateShaderModule", status);
  std::vector<VkDescriptorSetLayoutBinding> bindings(code_.uniform_buffers + code_.storage_buffers);
  for (std::uint32_t b = 0; b < bindings.size(); ++b)
    bindings[b] = {b, b < code_.uniform_buffers ? descriptor_uniform_buffer : descriptor_storage_buffer, 1,
                   shader_stage_compute, nullptr};
  VkDescriptorSetLayoutCreateInfo set{};
  set.count = static_cast<std::uint32_t>(bindings.size());
  set.bindings = bindings.data();
  if (const VkResult result = vk().vkCreateDescriptorSetLayout(device_.native, &set, nullptr, &set_layout_))
    return check(result, "vkCreateDescriptorSetLayout", status);
  VkPipelineLayoutCreateInfo layout{};
  layout.set_count = 1;
  layout.sets = &set_layout_;
  return check(vk().vkCreatePipelineLayout(device_.native, &layout, nullptr, &layout_),
               "vkCreatePipelineLayout", status);
}

VkResult kernel::compile(const kernel_start &start, VkPipeline &made) const {
  const constants set = constants_of(code_, start);
  const VkSpecializationInfo specialization{static_cast<std::uint32_t>(set.entries.size()),
                                            set.entries.data(), set.values.size() * sizeof(std::uint32_t),
                                            set.values.data()};
  VkComputePipelineCreateInfo info{};
  info.stage.stage = shader_stage_compute;
  info.stage.module = module_;
  info.stage.name = code_.entry.c_str();
  info.stage.specialization = &specialization;
  info.layout = layout_;
  info.base_index = -1;
  return vk().vkCreateComputePipelines(device_.native, {}, 1, &info, nullptr, &made);
}

heed_code kernel::find(const kernel_start &start, VkPipeline &found, heed_status *status) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(pipelines_.begin(), pipelines_.end(), [&](const sized &one) {
    return std::equal(one.threads, one.threads + 3, start.threads) && one.shared_bytes == start.shared_bytes;
  });
  if (known != pipelines_.end()) {
    found = known->pipeline;
    return HEED_OK;
  }
  pipelines_.reserve(pipelines_.size() + 1);
  if (const VkResult result = compile(start, found))
    return check(result, "vkCreateComputePipelines", status);
  pipelines_.push_back({{start.threads[0], start.threads[1], start.threads[2]}, start.shared_bytes, found});
  return HEED_OK;
}

heed_code vk_module::create(const opened_device &device, const char *code, std::size_t size,
                            heed_status *status) {
  std::vector<kernel_code> read;
  if (const heed_code failed = read_code(code, size, read, status))
    return failed;
  for (kernel_code &one : read) {
    kernels_.push_back(std::make_unique<kernel>(device, std::move(one)));
    if (const heed_code failed = kernels_.back()->create(status))
      return failed;
  }
  return HEED_OK;
}

heed_code vk_module::find(const char *entry, kernel *&found, heed_status *status) const noexcept {
  for (const std::unique_ptr<kernel> &one : kernels_)
    if (one->code().entry == entry) {
      found = one.get();
      return HEED_OK;
    }
  return fail(status, HEED_UNSUPPORTED)
         << "vulkan: the library's code has no kernel " << entry
         << ", one is needed; rebuild the library with the compiler that came with this runtime";
}

} // namespace heed::runtime::device::vulkan
