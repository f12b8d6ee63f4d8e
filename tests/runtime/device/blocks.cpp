/// Memory that calls use again.

#include "../table.hpp"

#include "device/blocks.hpp"

#include <set>

using namespace heed::runtime::device;

namespace {

/// A driver that has so many bytes and counts what it is asked.
class counting_driver final : public context {
public:
  const heed_device_description &description() const noexcept override { return description_; }
  bool has_addresses() const noexcept override { return true; }
  heed_code enter(heed_status *) noexcept override { return HEED_OK; }
  void leave() noexcept override {}
  void *native() const noexcept override { return nullptr; }
  void *own_queue() const noexcept override { return nullptr; }
  bool serves(const heed_device &) const noexcept override { return true; }
  heed_code keep_queue(void *, heed_status *) noexcept override { return HEED_OK; }
  void drop_queue(void *) noexcept override {}
  handle allocate(std::uint64_t bytes) noexcept override {
    ++allocations;
    if (bytes > left)
      return 0;
    left -= bytes;
    sizes.push_back(bytes);
    return sizes.size();
  }
  void release(handle memory) noexcept override {
    ++releases;
    left += sizes[memory - 1];
  }
  std::int64_t bytes_at(handle) const noexcept override { return 0; }
  heed_code write(void *, handle, std::uint64_t, const void *, std::uint64_t, bool,
                  heed_status *) noexcept override {
    return HEED_OK;
  }
  heed_code read(void *, handle, std::uint64_t, void *, std::uint64_t, heed_status *) noexcept override {
    return HEED_OK;
  }
  heed_code fill(void *, handle, std::uint64_t, const std::byte *, heed_status *) noexcept override {
    return HEED_OK;
  }
  heed_code submit(void *, heed_status *) noexcept override { return HEED_OK; }
  heed_code wait(void *, heed_status *) noexcept override {
    ++waits;
    return HEED_OK;
  }
  heed_code load(const char *, std::size_t, std::unique_ptr<module> &, heed_status *) override {
    return HEED_OK;
  }
  heed_code run(void *, module &, const kernel_start &, heed_status *) override { return HEED_OK; }

  std::uint64_t left = 100000;
  int allocations = 0, releases = 0, waits = 0;
  std::vector<std::uint64_t> sizes;

private:
  heed_device_description description_{};
};

} // namespace

TEST_CASE("device: repeated calls allocate nothing") {
  counting_driver driver;
  blocks blocks(driver, nullptr);
  for (int call = 0; call < 200; ++call) {
    blocks.begin_call();
    const lease a(blocks, 5000), b(blocks, 4900 + static_cast<std::uint64_t>(call)), c(blocks, 200);
    CHECK(std::set<handle>{a.memory(), b.memory(), c.memory()}.size() == 3);
  }
  CHECK(driver.allocations == 3);
  blocks.clear();
  CHECK(driver.releases == 3);
  CHECK(driver.left == 100000);
}

TEST_CASE("device: as many blocks as a call has are kept") {
  counting_driver driver;
  blocks blocks(driver, nullptr);
  for (int call = 0; call < 3; ++call) {
    blocks.begin_call();
    std::vector<lease> leases;
    for (int number = 0; number < 40; ++number)
      leases.emplace_back(blocks, 300);
  }
  CHECK(driver.allocations == 40);
  CHECK(driver.releases == 0);
  blocks.clear();
}

TEST_CASE("device: a large block is not spent on a small need, and goes when no call needs it") {
  counting_driver driver;
  blocks blocks(driver, nullptr);
  {
    const lease large(blocks, 40000);
  }
  {
    const lease small(blocks, 1000);
  }
  CHECK(driver.allocations == 2);
  for (int call = 0; call < 100; ++call) {
    blocks.begin_call();
    const lease small(blocks, 1000);
  }
  CHECK(driver.allocations == 2);
  CHECK(driver.releases == 1);
  CHECK(driver.left > 98000);
  blocks.clear();
}

TEST_CASE("device: kept blocks make room for others, when the queue is done with them") {
  counting_driver driver;
  blocks blocks(driver, nullptr);
  {
    const lease first(blocks, 60000);
  }
  {
    const lease second(blocks, 10000), third(blocks, 90000);
    CHECK(second.memory() != 0);
    CHECK(third.memory() == 0);
  }
  CHECK(driver.waits == 1);
  {
    const lease again(blocks, 85000);
  }
  blocks.clear();
  CHECK(driver.left == 100000);
}
