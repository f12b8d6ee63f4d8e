// A thread with the smallest stack that there may be.
#ifndef HEED_TESTS_CASES_SMALL_STACK_HPP
#define HEED_TESTS_CASES_SMALL_STACK_HPP

#include <functional>
#include <pthread.h>
#include <stdexcept>

namespace heed::cases {

/// Runs `work`, which must not throw, on a stack of 64 KiB.
inline void on_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 * 1024);
  pthread_t thread;
  auto run = [](void *work) -> void * {
    (*static_cast<std::function<void()> *>(work))();
    return nullptr;
  };
  int failed = pthread_create(&thread, &attributes, run, &work);
  pthread_attr_destroy(&attributes);
  if (failed != 0)
    throw std::runtime_error("no thread with a small stack can be made");
  pthread_join(thread, nullptr);
}

} // namespace heed::cases

#endif // HEED_TESTS_CASES_SMALL_STACK_HPP
