#include "thread_pool.hpp"

#include "cores.hpp"
#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <bitset>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define HEED_HAS_FORK 1
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace heed::runtime {
namespace {

using clock = std::chrono::steady_clock;

/// How long a thread that waits stays awake: several times what waking it costs. After the first few
/// microseconds it lets others have its core, since the one it waits for may need it.
constexpr auto spin_time = std::chrono::microseconds(50);
constexpr int pauses_before_yielding = 256;

void pause() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits for a condition without sleeping. False when it did not come true in time.
template <class Condition> bool spin(Condition condition) noexcept {
  for (int i = 0; i < pauses_before_yielding; ++i) {
    if (condition())
      return true;
    pause();
  }
  for (const auto end = clock::now() + spin_time; clock::now() < end;) {
    if (condition())
      return true;
    std::this_thread::yield();
  }
  return condition();
}

/// One run_together. Lives on its caller's stack; touched by others only under the pool's mutex, except the
/// body.
struct job {
  void (*body)(void *, std::int32_t);
  void *closure;
  std::int32_t width;
  int core;                             ///< of the caller
  std::int32_t taken = 1;               ///< number of indices given out; 0 is the caller's
  std::bitset<max_threads> is_taken{1}; ///< by index
  std::atomic<std::int32_t> helpers{0}; ///< other threads inside the body
  job *next = nullptr;

  bool is_full() const noexcept { return taken == width; }

  /// An index for a worker: its own number while it is free, so that it gets equal work in every run.
  std::int32_t take(std::int32_t worker) noexcept {
    std::int32_t index = worker;
    if (index >= width || is_taken[static_cast<std::size_t>(index)])
      for (index = 1; is_taken[static_cast<std::size_t>(index)];)
        ++index;
    is_taken.set(static_cast<std::size_t>(index));
    ++taken;
    return index;
  }
};

class thread_pool {
public:
  void run(job &job, bool wake) noexcept;
  void stop() noexcept;

  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

private:
  std::unique_lock<std::mutex> acquire() noexcept;
  void acquire(std::unique_lock<std::mutex> &lock) noexcept;
  void wake(int count) noexcept;
  void start_workers(int wanted) noexcept;
  void work(std::int32_t worker) noexcept;
  void help(std::unique_lock<std::mutex> &lock, std::int32_t worker) noexcept;
  void withdraw(job &job) noexcept;

  std::mutex mutex_;
  std::condition_variable work_came_, helper_left_;
  job *jobs_ = nullptr;               ///< those with indices to give out, newest first
  std::atomic<bool> has_jobs_{false}; ///< for threads that spin
  int sleeping_ = 0, spinning_ = 0;
  clock::time_point last_end_;
  bool stopped_ = false;
  std::vector<std::thread> workers_;
};

/// The mutex is held for a few instructions at a time; to block on it costs more than all of them.
void thread_pool::acquire(std::unique_lock<std::mutex> &lock) noexcept {
  for (int i = 0; i < pauses_before_yielding && !lock.try_lock(); ++i)
    pause();
  if (!lock)
    lock.lock();
}

std::unique_lock<std::mutex> thread_pool::acquire() noexcept {
  std::unique_lock lock(mutex_, std::defer_lock);
  acquire(lock);
  return lock;
}

void thread_pool::wake(int count) noexcept {
  for (; count > 0; --count)
    work_came_.notify_one();
}

void thread_pool::start_workers(int wanted) noexcept {
  try {
    while (static_cast<int>(workers_.size()) < wanted && !stopped_)
      workers_.emplace_back(
          [this, worker = static_cast<std::int32_t>(workers_.size()) + 1] { work(worker); });
  } catch (...) {
    // No thread or no memory for one: those that run do the work.
  }
}

void thread_pool::withdraw(job &job) noexcept {
  for (auto **place = &jobs_; *place; place = &(*place)->next)
    if (*place == &job) {
      *place = job.next;
      break;
    }
  has_jobs_.store(jobs_ != nullptr, std::memory_order_relaxed);
}

void thread_pool::run(job &job, bool wake_others) noexcept {
  auto lock = acquire();
  start_workers(job.width - 1);
  job.next = jobs_;
  jobs_ = &job;
  has_jobs_.store(true, std::memory_order_relaxed);
  const bool lacks_helpers = sleeping_ > 0 && spinning_ < job.width - 1;
  // Who is woken stays awake for a while, so that it pays when runs follow each other closely.
  const bool wakes = lacks_helpers && (wake_others || clock::now() - last_end_ < spin_time);
  lock.unlock();
  if (wakes)
    wake(1);
  job.body(job.closure, 0);

  acquire(lock);
  withdraw(job);
  last_end_ = clock::now();
  const auto alone = [&job] { return job.helpers.load(std::memory_order_acquire) == 0; };
  if (alone())
    return;
  lock.unlock();
  spin(alone);
  // Also after a successful spin: a helper may still hold the mutex, and with it the job.
  acquire(lock);
  helper_left_.wait(lock, alone);
}

void thread_pool::help(std::unique_lock<std::mutex> &lock, std::int32_t worker) noexcept {
  job &job = *jobs_;
  const std::int32_t index = job.take(worker);
  job.helpers.fetch_add(1, std::memory_order_relaxed);
  // Waking takes its time, so those that are awake share it: each wakes two.
  const int to_wake = std::min({2, sleeping_, job.width - job.taken - spinning_});
  if (job.is_full())
    withdraw(job);
  lock.unlock();
  wake(to_wake);
  if (current_core() == job.core)
    leave_core(job.core);
  job.body(job.closure, index);
  acquire(lock);
  if (job.helpers.fetch_sub(1, std::memory_order_release) == 1)
    helper_left_.notify_all();
}

void thread_pool::work(std::int32_t worker) noexcept {
  auto lock = acquire();
  while (!stopped_) {
    if (jobs_) {
      help(lock, worker);
      continue;
    }
    ++spinning_;
    lock.unlock();
    const bool found = spin([this] { return has_jobs_.load(std::memory_order_relaxed); });
    acquire(lock);
    --spinning_;
    if (found || jobs_ || stopped_)
      continue;
    ++sleeping_;
    work_came_.wait(lock, [this] { return jobs_ || stopped_; });
    --sleeping_;
  }
}

void thread_pool::stop() noexcept {
  {
    std::lock_guard guard(mutex_);
    stopped_ = true;
  }
  work_came_.notify_all();
  for (std::thread &worker : workers_)
    if (worker.get_id() == std::this_thread::get_id())
      worker.detach();
    else
      worker.join();
}

// The pool itself is never destroyed: a call that outlives the end of main still finds it, without threads.
alignas(thread_pool) std::byte pool_storage[sizeof(thread_pool)];

thread_pool &pool() noexcept { return *std::launder(reinterpret_cast<thread_pool *>(pool_storage)); }

#ifdef HEED_HAS_FORK
// A child has none of the parent's threads. It starts anew with an empty pool; the old thread objects, which
// belong to nobody there, are overwritten and not destroyed.
void before_fork() { pool().lock(); }
void after_fork_in_parent() { pool().unlock(); }
void after_fork_in_child() { new (pool_storage) thread_pool; }
#endif

/// Starts the pool's life with the first parallel call, ends its threads when the program or the library
/// unloads.
struct pool_lifetime {
  pool_lifetime() noexcept {
    new (pool_storage) thread_pool;
#ifdef HEED_HAS_FORK
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
#endif
  }
  ~pool_lifetime() { pool().stop(); }
};

} // namespace

void run_together(std::int32_t width, bool wake_others, void (*body)(void *closure, std::int32_t index),
                  void *closure) noexcept {
  static pool_lifetime lifetime;
  job job{body, closure, width, current_core()};
  pool().run(job, wake_others);
}

} // namespace heed::runtime
