#include "Driver.h"

#include "Modules.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace checking {

/// Never destroyed: a process may call at its end.
Driver &driver() {
  static auto *const all = [] {
    auto *made = new Driver;
    if (const char *count = std::getenv("HEED_CHECKING_CUDA_INSTRUCTIONS"))
      made->configured.instructions = std::atoll(count);
    return made;
  }();
  return *all;
}

std::vector<Context *> &stack() {
  thread_local std::vector<Context *> contexts;
  return contexts;
}

const char *&running() {
  thread_local const char *function = "";
  return function;
}

Misuse::~Misuse() {
  const std::string line = std::string(running()) + ": " + text.str();
  driver().misuses.push_back(line);
  if (const char *file = std::getenv("HEED_CHECKING_CUDA_LOG"))
    std::ofstream(file, std::ios::app) << line << std::endl;
  if (std::getenv("HEED_CHECKING_CUDA_ABORT")) {
    std::fprintf(stderr, "%s\n", line.c_str());
    std::abort();
  }
}

/// Whether the function is to fail now.
static bool isInjected(const char *function, Result &result) {
  const auto found = driver().injected.find(function);
  if (found == driver().injected.end() || found->second.first-- > 0)
    return false;
  found->second.first = 0;
  result = found->second.second;
  if (stack().empty())
    return true;
  if (std::strstr(function, "Synchronize"))
    stack().back()->work.clear(); // what could not be done is never done
  if (result >= illegalAddress && result <= launchFailed && result != outOfResources)
    stack().back()->lost = result;
  return true;
}

Result enter(const char *function, const std::function<Result()> &body, bool needsInit) {
  const std::lock_guard lock(driver().mutex);
  running() = function;
  if (Result result; isInjected(function, result))
    return result;
  if (needsInit && !driver().isInitialized)
    return Misuse(notInitialized) << "cuInit was not called";
  return body();
}

Result inContext(const char *function, const std::function<Result(Context &)> &body) {
  return enter(function, [&]() -> Result {
    if (stack().empty())
      return Misuse(invalidContext) << "no context is current";
    Context &current = *stack().back();
    return current.lost ? current.lost : body(current);
  });
}

} // namespace checking

using namespace checking;

CheckingCudaState checkingCudaState() {
  const std::lock_guard lock(driver().mutex);
  CheckingCudaState state = driver().configured;
  state.misuses = int(driver().misuses.size());
  state.contexts = int(driver().contexts.size());
  state.streams = int(driver().streams.size());
  state.events = int(driver().events.size());
  state.modules = int(driver().modules.size());
  for (const auto &[handle, context] : driver().contexts)
    state.allocations += int(context->allocations.size());
  state.depth = int(stack().size());
  return state;
}

void checkingCudaMisuses(char *text, int size) {
  const std::lock_guard lock(driver().mutex);
  std::string lines;
  for (const std::string &line : driver().misuses)
    lines += line + "\n";
  lines.resize(std::min(lines.size(), size_t(size - 1)));
  std::strcpy(text, lines.c_str());
}

void checkingCudaClear() {
  const std::lock_guard lock(driver().mutex);
  driver().misuses.clear();
  driver().injected.clear();
  driver().launches.clear();
}

void checkingCudaDevices(int count, int sharedBytes) {
  const std::lock_guard lock(driver().mutex);
  driver().configured.devices = count;
  driver().configured.sharedBytes = sharedBytes;
}

void checkingCudaInstructions(int64_t count) {
  const std::lock_guard lock(driver().mutex);
  driver().configured.instructions = count;
}

void checkingCudaFail(const char *function, int after, int result) {
  const std::lock_guard lock(driver().mutex);
  driver().injected[function] = {after, result};
}

bool checkingCudaHolds(uint64_t address, const void *data, uint64_t bytes) {
  const std::lock_guard lock(driver().mutex);
  for (const auto &[handle, context] : driver().contexts)
    for (const auto &[begin, allocation] : context->allocations)
      if (address >= begin && address - begin <= allocation.bytes &&
          bytes <= allocation.bytes - (address - begin))
        return std::memcmp(allocation.data.get() + (address - begin), data, bytes) == 0;
  return false;
}

int checkingCudaLaunches(CheckingCudaLaunch *launches, int count) {
  const std::lock_guard lock(driver().mutex);
  const int found = std::min(count, int(driver().launches.size()));
  std::copy_n(driver().launches.begin(), found, launches);
  return found;
}
