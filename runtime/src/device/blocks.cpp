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
  if (const block found = take_kept(wanted); found.memory)
    return found;
  handle made = context_.allocate(wanted);
  if (!made && context_.wait(queue_, nullptr) == HEED_OK) {
    clear();
    made = context_.allocate(wanted);
  }
  if (made)
    return {made, wanted};
  const std::lock_guard lock(mutex_);
  --taken_;
  return {};
}

/// The smallest that is kept and fits, or an empty block; counts a block as taken.
block blocks::take_kept(std::uint64_t wanted) {
  const std::lock_guard lock(mutex_);
  kept_.reserve(kept_.size() + taken_ + 1); // so that to give back needs no memory
  ++taken_;
  auto best = kept_.end();
  for (auto one = kept_.begin(); one != kept_.end(); ++one)
    if (one->block.bytes >= wanted && one->block.bytes / 2 <= wanted &&
        (best == kept_.end() || one->block.bytes < best->block.bytes))
      best = one;
  if (best == kept_.end())
    return {};
  const block found = best->block;
  kept_.erase(best);
  return found;
}

void blocks::clear() noexcept {
  const std::lock_guard lock(mutex_);
  for (const kept &one : kept_)
    context_.release(one.block.memory);
  kept_.clear();
}

void blocks::give_back(block block) noexcept {
  const std::lock_guard lock(mutex_);
  --taken_;
  kept_.push_back({block, calls_});
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
