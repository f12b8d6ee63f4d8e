#include "cores.hpp"

#include <algorithm>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace heed::runtime {

#ifdef __linux__

int current_core() noexcept { return sched_getcpu(); }

int allowed_cores() noexcept {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return CPU_COUNT(&allowed);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void leave_core(int core) noexcept {
  cpu_set_t allowed;
  if (core < 0 || core >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<unsigned>(core), &others);
  if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof others, &others) == 0)
    sched_setaffinity(0, sizeof allowed, &allowed);
}

#else

int current_core() noexcept { return unknown_core; }

int allowed_cores() noexcept { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void leave_core(int) noexcept {}

#endif

} // namespace heed::runtime
