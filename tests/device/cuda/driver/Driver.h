//===- Driver.h - What the checking driver holds ----------------*- C++ -*-===//
///
/// \file
/// Contexts and what lives in them, what was noted, and how an entry point begins. One lock guards all.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_DRIVER_DRIVER_H
#define HEED_TESTS_DEVICE_CUDA_DRIVER_DRIVER_H

#include "CheckingCuda.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace checking {

using Result = int;
inline constexpr Result success = 0, invalidValue = 1, outOfMemory = 2, notInitialized = 3, noDevice = 100,
                        invalidDevice = 101, invalidContext = 201, noBinary = 209, invalidPtx = 218,
                        unsupportedPtx = 222, invalidHandle = 400, notFound = 500, notReady = 600,
                        illegalAddress = 700, outOfResources = 701, launchFailed = 719;

struct Context;

struct Stream {
  Context *context;
  bool isBlocking; ///< waits for the default stream, and that for it
};

struct Event {
  Context *context;
  bool isRecorded = false, isDone = false;
  double milliseconds = 0;
};

/// Work that was asked for and is not done yet. Without a stream: in the default one.
struct Work {
  Stream *stream;
  std::function<void()> run;
};

struct Allocation {
  size_t bytes;
  std::shared_ptr<std::byte> data; ///< of the host
};

struct Context {
  int device;
  bool isPrimary;
  int references = 1;
  Result lost = success; ///< what a kernel's failure left
  double milliseconds = 0;
  std::map<uint64_t, Allocation> allocations; ///< by address
  std::deque<Work> work;                      ///< in the order in which it was asked for
};

struct Module;

/// All that is alive.
struct Driver {
  std::recursive_mutex mutex;
  CheckingCudaState configured;
  bool isInitialized = false;
  std::vector<std::string> misuses;
  std::map<std::string, std::pair<int, Result>> injected; ///< calls before, and the result
  std::deque<CheckingCudaLaunch> launches;
  std::map<void *, std::unique_ptr<Context>> contexts;
  std::map<int, Context *> primary; ///< by device
  std::map<void *, std::unique_ptr<Stream>> streams;
  std::map<void *, std::unique_ptr<Event>> events;
  std::map<void *, std::unique_ptr<Module>> modules;
  uint64_t nextAddress = uint64_t(1) << 44; ///< never given twice
};

Driver &driver();

/// The calling thread's contexts, the current one last.
std::vector<Context *> &stack();

/// Notes a misuse in words and gives the result.
class Misuse {
public:
  explicit Misuse(Result result) : result(result) {}
  ~Misuse();
  template <class Value> Misuse &operator<<(const Value &value) {
    text << value;
    return *this;
  }
  operator Result() const { return result; }

private:
  Result result;
  std::ostringstream text;
};

/// Runs the body of an entry point, unless the driver isn't initialized or a failure is injected.
Result enter(const char *function, const std::function<Result()> &body, bool needsInit = true);

/// The same in the current context, which is needed and not lost.
Result inContext(const char *function, const std::function<Result(Context &)> &body);

/// The name of the entry point that runs.
const char *&running();

/// What a handle stands for; null, and noted, if nothing.
template <class Object>
Object *object(std::map<void *, std::unique_ptr<Object>> &all, void *handle, const char *kind) {
  const auto found = all.find(handle);
  if (found != all.end())
    return found->second.get();
  Misuse(invalidHandle) << kind << " " << handle << " is none, or was destroyed";
  return nullptr;
}

} // namespace checking

#endif // HEED_TESTS_DEVICE_CUDA_DRIVER_DRIVER_H
