#include "blocks.hpp"

#include <algorithm>

namespace heed::runtime::device {
namespace {

/// Calls after which a block that none of them took is released.
constexpr std::uint64_t idle_calls = 64;

/// Sizes are rounded up, so that calls of nearly the same sizes share blocks.
std::uint64_t rounded(std::uint64_t bytes) noexcept {
  std::uint64_t step = 256;
  while (step < bytes / 8)
    step *= 2;
  return (bytes + step - 1) / step * step;
}

} // namespace

block blocks::take(std::uint64_t bytes) {
  const std::uint64_t wanted = rounded(bytes);
  {
    const std::lock_guard lock(mutex_);
    const auto fits = [&](const kept &one) {
      return one.block.bytes >= wanted && one.block.bytes / 2 <= wanted;
    };
    auto best = kept_.end();
    for (auto one = kept_.begin(); one != kept_.end(); ++one)
      if (fits(*one) && (best == kept_.end() || one->block.bytes < best->block.bytes))
        best = one;
    if (best != kept_.end()) {
      const block found = best->block;
      kept_.erase(best);
      return found;
    }
    kept_.reserve(kept_.size() + 8);
  }
  if (const handle made = context_.allocate(wanted))
    return {made, wanted};
  if (context_.wait(queue_, nullptr))
    return {};
  clear();
  const handle made = context_.allocate(wanted);
  return {made, made ? wanted : 0};
}

void blocks::clear() noexcept {
  const std::lock_guard lock(mutex_);
  for (const kept &one : kept_)
    context_.release(one.block.memory);
  kept_.clear();
}

void blocks::give_back(block block) noexcept {
  const std::lock_guard lock(mutex_);
  // Without room to note it, which take makes beforehand, it can't be kept.
  if (kept_.size() < kept_.capacity())
    kept_.push_back({block, calls_});
  else
    context_.release(block.memory);
}

void blocks::begin_call() noexcept {
  const std::lock_guard lock(mutex_);
  ++calls_;
  const auto idle = std::stable_partition(
      kept_.begin(), kept_.end(), [&](const kept &one) { return calls_ - one.last_call <= idle_calls; });
  for (auto one = idle; one != kept_.end(); ++one)
    context_.release(one->block.memory);
  kept_.erase(idle, kept_.end());
}

} // namespace heed::runtime::device
