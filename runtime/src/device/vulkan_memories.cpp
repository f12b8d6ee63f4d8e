#include "vulkan_memories.hpp"

#include "sentence.hpp"

#include <algorithm>
#include <new>

namespace heed::runtime::device::vulkan {

memories::~memories() {
  for (auto &[number, one] : all_)
    destroy(device_, one);
}

handle memories::allocate(std::uint64_t bytes) noexcept try {
  constexpr std::uint64_t word = 4; // what a fill writes whole
  const std::uint64_t rounded = (std::max(bytes, word) + word - 1) / word * word;
  const std::lock_guard lock(mutex_);
  const auto place = all_.try_emplace(next_).first;
  if (vulkan::create(device_, rounded, /*is_for_host=*/false, place->second) != success) {
    all_.erase(place);
    return 0;
  }
  return next_++;
} catch (const std::bad_alloc &) {
  return 0;
}

memory memories::take(handle number) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(number);
  if (found == all_.end())
    return {};
  const memory taken = found->second;
  all_.erase(found);
  return taken;
}

memory memories::find(handle number) const noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(number);
  return found == all_.end() ? memory{} : found->second;
}

heed_code memories::find(handle number, std::uint64_t offset, std::uint64_t bytes, memory &found,
                         heed_status *status) const noexcept {
  found = find(number);
  if (offset <= found.bytes && bytes <= found.bytes - offset)
    return HEED_OK;
  return fail(status, HEED_INVALID_ARGUMENT)
         << "vulkan: memory of the device holds " << found.bytes << " bytes, " << offset << " + " << bytes
         << " are needed; pass memory of heed_device_allocate that is large enough";
}

} // namespace heed::runtime::device::vulkan
