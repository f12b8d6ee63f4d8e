#pragma once
/// \file
/// The queues in which calls are made: found by what options say, opened when they are first asked for.

#include "blocks.hpp"
#include "driver.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace heed::runtime::device {

/// A thread in a queue's context, for as long as this lives.
class inside {
public:
  inside(context &context, heed_status *status) noexcept : context_(context), code(context.enter(status)) {}
  ~inside() {
    if (!code)
      context_.leave();
  }
  inside(const inside &) = delete;
  inside &operator=(const inside &) = delete;

private:
  context &context_;

public:
  const heed_code code; ///< whether the thread is
};

/// The kernels that were loaded into a context, by the address of their code.
class modules {
public:
  explicit modules(context &context) noexcept : context_(context) {}
  heed_code find(const char *code, std::size_t size, module *&found, heed_status *status);
  void clear() noexcept { loaded_.clear(); }

private:
  context &context_;
  std::mutex mutex_; ///< held while code is compiled, so that it is once
  std::map<const char *, std::unique_ptr<module>> loaded_;
};

/// What queues of one context share.
struct shared_context {
  explicit shared_context(std::shared_ptr<context> driver) noexcept
      : driver(std::move(driver)), modules(*this->driver) {}
  ~shared_context();

  const std::shared_ptr<context> driver;
  device::modules modules;
};

struct queue {
  queue(std::shared_ptr<shared_context> shared, void *native) noexcept
      : shared(std::move(shared)), driver(*this->shared->driver), native(native), blocks(driver, native) {}
  ~queue();

  const std::shared_ptr<shared_context> shared;
  context &driver;
  void *const native;
  bool is_kept = false; ///< the driver counts a reference of ours to it
  device::blocks blocks;
};

/// The queue of a device. May throw std::bad_alloc.
heed_code find_queue(const heed_device &device, std::shared_ptr<queue> &found, heed_status *status);

/// Forgets a device's context and its queues, or a device that the runtime opened.
void forget(const heed_device &device) noexcept;

} // namespace heed::runtime::device
