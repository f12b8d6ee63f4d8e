// Devices and contexts: the primary ones, a caller's own, and the stack of each thread.

#include "Driver.h"
#include "Modules.h"
#include "Streams.h"

#include <algorithm>
#include <cstdio>

namespace checking {

/// What an H200 says, by the number of the attribute.
static const std::map<int, int> &attributes() {
  static const std::map<int, int> values{
      {1, 1024},      {2, 1024},  {3, 1024},   {4, 64},       {5, 2147483647}, {6, 65535},    {7, 65535},
      {8, 49152},     {10, 32},   {12, 65536}, {13, 1980000}, {16, 132},       {36, 3201000}, {37, 6144},
      {38, 62914560}, {39, 2048}, {75, 9},     {76, 0},       {81, 233472},    {82, 65536},   {111, 1024}};
  return values;
}

static Result checkDevice(int device) {
  if (device >= 0 && device < driver().configured.devices)
    return success;
  return Misuse(invalidDevice) << "there is no device " << device;
}

static void makeContext(int device, bool isPrimary, Context *&made) {
  auto context = std::make_unique<Context>();
  context->device = device;
  context->isPrimary = isPrimary;
  made = context.get();
  driver().contexts[made] = std::move(context);
}

/// Destroys everything in a context; notes what should not be there any more.
static void destroy(Context *context) {
  finishAll(*context);
  const auto isIn = [&](const auto &one) { return one.second->context == context; };
  const auto left = std::count_if(driver().modules.begin(), driver().modules.end(), isIn);
  if (!context->lost && (left != 0 || !context->allocations.empty()))
    Misuse(success) << "the context ends with " << left << " modules and " << context->allocations.size()
                    << " allocations in it";
  std::erase_if(driver().modules, isIn);
  std::erase_if(driver().streams, isIn);
  std::erase_if(driver().events, isIn);
  driver().contexts.erase(context);
}

/// Whether the handle is a context's.
static Context *contextOf(void *handle) { return object(driver().contexts, handle, "context"); }

} // namespace checking

using namespace checking;

extern "C" {
int cuInit(unsigned flags) {
  return enter(
      "cuInit",
      [&]() -> Result {
        if (flags)
          return Misuse(invalidValue) << "flags are " << flags;
        driver().isInitialized = true;
        return driver().configured.devices ? success : noDevice;
      },
      /*needsInit=*/false);
}

int cuDriverGetVersion(int *version) {
  *version = 12080;
  return success;
}

int cuGetErrorName(int error, const char **name) {
  thread_local std::string text;
  text = "CUDA_ERROR_" + std::to_string(error);
  *name = text.c_str();
  return success;
}

int cuGetErrorString(int error, const char **text) { return cuGetErrorName(error, text); }

int cuDeviceGetCount(int *count) {
  return enter("cuDeviceGetCount", [&] {
    *count = driver().configured.devices;
    return success;
  });
}

int cuDeviceGet(int *device, int ordinal) {
  return enter("cuDeviceGet", [&] {
    *device = ordinal;
    return checkDevice(ordinal);
  });
}

int cuDeviceGetName(char *name, int length, int device) {
  return enter("cuDeviceGetName", [&] {
    std::snprintf(name, size_t(length), "Checking device %d", device);
    return checkDevice(device);
  });
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  return enter("cuDeviceGetAttribute", [&]() -> Result {
    if (const Result result = checkDevice(device))
      return result;
    const auto found = attributes().find(attribute);
    if (attribute == 97)
      *value = driver().configured.sharedBytes;
    else if (found != attributes().end())
      *value = found->second;
    else
      return Misuse(invalidValue) << "attribute " << attribute << " is unknown here";
    return success;
  });
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  return enter("cuDeviceTotalMem", [&] {
    *bytes = size_t(141) << 30;
    return checkDevice(device);
  });
}

int cuDevicePrimaryCtxRetain(void **handle, int device) {
  return enter("cuDevicePrimaryCtxRetain", [&] {
    if (const Result result = checkDevice(device))
      return result;
    Context *&primary = driver().primary[device];
    if (primary)
      ++primary->references;
    else
      makeContext(device, true, primary);
    *handle = primary;
    return success;
  });
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  return enter("cuDevicePrimaryCtxRelease", [&]() -> Result {
    if (const Result result = checkDevice(device))
      return result;
    Context *&primary = driver().primary[device];
    if (!primary)
      return Misuse(invalidContext) << "it was not retained";
    if (--primary->references == 0) {
      destroy(primary);
      primary = nullptr;
    }
    return success;
  });
}

int cuCtxCreate_v2(void **handle, unsigned, int device) {
  return enter("cuCtxCreate", [&] {
    if (const Result result = checkDevice(device))
      return result;
    Context *made;
    makeContext(device, false, made);
    stack().push_back(made);
    *handle = made;
    return success;
  });
}

int cuCtxDestroy_v2(void *handle) {
  return enter("cuCtxDestroy", [&]() -> Result {
    Context *context = contextOf(handle);
    if (!context)
      return invalidContext;
    if (context->isPrimary)
      return Misuse(invalidContext) << "it is a device's primary one";
    if (!stack().empty() && stack().back() == context)
      stack().pop_back();
    destroy(context);
    return success;
  });
}

int cuCtxPushCurrent_v2(void *handle) {
  return enter("cuCtxPushCurrent", [&]() -> Result {
    Context *context = contextOf(handle);
    if (!context)
      return invalidContext;
    stack().push_back(context);
    return success;
  });
}

int cuCtxPopCurrent_v2(void **handle) {
  return enter("cuCtxPopCurrent", [&]() -> Result {
    if (stack().empty())
      return Misuse(invalidContext) << "no context is current";
    *handle = stack().back();
    stack().pop_back();
    return success;
  });
}

int cuCtxSetCurrent(void *handle) {
  return enter("cuCtxSetCurrent", [&]() -> Result {
    Context *context = handle ? contextOf(handle) : nullptr;
    if (handle && !context)
      return invalidContext;
    if (!stack().empty())
      stack().pop_back();
    if (context)
      stack().push_back(context);
    return success;
  });
}

int cuCtxGetCurrent(void **handle) {
  return enter("cuCtxGetCurrent", [&] {
    *handle = stack().empty() ? nullptr : stack().back();
    return success;
  });
}

int cuCtxGetDevice(int *device) {
  return inContext("cuCtxGetDevice", [&](Context &context) {
    *device = context.device;
    return success;
  });
}

int cuCtxSynchronize() {
  return inContext("cuCtxSynchronize", [](Context &context) {
    finishAll(context);
    return context.lost;
  });
}
}
