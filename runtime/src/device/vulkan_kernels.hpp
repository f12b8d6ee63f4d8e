#pragma once
/// \file
/// Kernels that are ready to run.

#include "driver.hpp"
#include "vulkan_code.hpp"
#include "vulkan_memory.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace heed::runtime::device::vulkan {

/// Of one entry point: a pipeline for each size of a block.
class kernel {
public:
  kernel(const opened_device &device, kernel_code code) noexcept : device_(device), code_(std::move(code)) {}
  ~kernel();
  kernel(const kernel &) = delete;
  kernel &operator=(const kernel &) = delete;

  heed_code create(heed_status *status);

  const kernel_code &code() const noexcept { return code_; }
  VkDescriptorSetLayout set_layout() const noexcept { return set_layout_; }
  VkPipelineLayout layout() const noexcept { return layout_; }
  /// Waits for the driver's compiler at the first start of such blocks. May throw std::bad_alloc.
  heed_code find(const kernel_start &start, VkPipeline &found, heed_status *status);

private:
  struct sized {
    int threads[3], shared_bytes;
    VkPipeline pipeline;
  };
  VkResult compile(const kernel_start &start, VkPipeline &made) const;

  const opened_device &device_;
  kernel_code code_;
  VkShaderModule module_{};
  VkDescriptorSetLayout set_layout_{};
  VkPipelineLayout layout_{};
  std::mutex mutex_;
  std::vector<sized> pipelines_;
};

class vk_module final : public module {
public:
  /// May throw std::bad_alloc.
  heed_code create(const opened_device &device, const char *code, std::size_t size, heed_status *status);
  heed_code find(const char *entry, kernel *&found, heed_status *status) const noexcept;

private:
  std::vector<std::unique_ptr<kernel>> kernels_;
};

} // namespace heed::runtime::device::vulkan
