#include "Modules.h"

#include "Memory.h"
#include "Streams.h"

#include <algorithm>
#include <cstring>

namespace checking {

namespace {

/// What the driver of CUDA 12.8 knows.
constexpr double newestPtx = 8.7;
constexpr int capability = 90;

enum Option { infoLog = 3, infoLogBytes = 4, errorLog = 5, errorLogBytes = 6, lastOption = 33 };

/// Writes into the log that the options name, if they do.
void report(const std::string &text, unsigned count, const int *options, void **values) {
  char *log = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == errorLog)
      log = static_cast<char *>(values[i]);
    if (options[i] == errorLogBytes)
      bytes = size_t(values[i]);
  }
  if (log && bytes)
    std::strncpy(log, text.c_str(), bytes)[bytes - 1] = 0;
}

Result load(Context &context, void **handle, const char *image, unsigned count, const int *options,
            void **values) {
  if (!image)
    return Misuse(invalidValue) << "there is no code";
  for (unsigned i = 0; i < count; ++i)
    if (options[i] < 0 || options[i] > lastOption)
      return Misuse(invalidValue) << "option " << options[i] << " is unknown";
  auto module = std::make_unique<Module>(Module{&context, {}, {}});
  if (const std::string wrong = parse(image, module->ptx); !wrong.empty()) {
    report("ptxas fatal: " + wrong, count, options, values);
    return Misuse(invalidPtx) << wrong;
  }
  if (module->ptx.version > newestPtx)
    return Misuse(unsupportedPtx) << "PTX " << module->ptx.version << " is newer than the driver";
  if (module->ptx.target > capability)
    return Misuse(noBinary) << "the code is for sm_" << module->ptx.target;
  *handle = module.get();
  driver().modules[*handle] = std::move(module);
  return success;
}

} // namespace

Function *findFunction(Context &context, void *handle) {
  for (const auto &[key, module] : driver().modules)
    for (const auto &[name, function] : module->functions)
      if (function.get() == handle) {
        if (module->context == &context)
          return function.get();
        Misuse(invalidHandle) << name << " is of another context";
        return nullptr;
      }
  Misuse(invalidHandle) << "function " << handle << " is none, or its module was unloaded";
  return nullptr;
}

} // namespace checking

using namespace checking;

extern "C" {
int cuModuleLoadDataEx(void **handle, const void *image, unsigned count, int *options, void **values) {
  return inContext("cuModuleLoadDataEx", [&](Context &context) {
    return load(context, handle, static_cast<const char *>(image), count, options, values);
  });
}

int cuModuleLoadData(void **handle, const void *image) {
  return inContext("cuModuleLoadData", [&](Context &context) {
    return load(context, handle, static_cast<const char *>(image), 0, nullptr, nullptr);
  });
}

int cuModuleUnload(void *handle) {
  return inContext("cuModuleUnload", [&](Context &context) -> Result {
    Module *module = object(driver().modules, handle, "module");
    if (!module)
      return invalidHandle;
    if (module->context != &context)
      return Misuse(invalidContext) << "the module is of another context";
    finishAll(context);
    driver().modules.erase(handle);
    return success;
  });
}

int cuModuleGetFunction(void **handle, void *of, const char *name) {
  return inContext("cuModuleGetFunction", [&](Context &) -> Result {
    Module *module = object(driver().modules, of, "module");
    if (!module)
      return invalidHandle;
    if (module->ptx.entries.count(name) == 0)
      return Misuse(notFound) << "the module has no kernel " << name;
    auto &function = module->functions[name];
    if (!function)
      function = std::make_unique<Function>(Function{module, name});
    *handle = function.get();
    return success;
  });
}

int cuFuncSetAttribute(void *handle, int attribute, int value) {
  return inContext("cuFuncSetAttribute", [&](Context &context) -> Result {
    constexpr int dynamicShared = 8;
    Function *function = findFunction(context, handle);
    if (!function)
      return invalidHandle;
    if (attribute != dynamicShared)
      return Misuse(invalidValue) << "attribute " << attribute << " is unknown here";
    if (value < 0 || value > driver().configured.sharedBytes)
      return Misuse(invalidValue) << value << " bytes of shared memory are more than the device has";
    function->allowedShared = value;
    return success;
  });
}
}
