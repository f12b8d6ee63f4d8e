//===- Modules.h - Loaded code ----------------------------------*- C++ -*-===//
#ifndef HEED_TESTS_DEVICE_CUDA_DRIVER_MODULES_H
#define HEED_TESTS_DEVICE_CUDA_DRIVER_MODULES_H

#include "Driver.h"
#include "Ptx.h"

namespace checking {

/// A kernel that somebody asked for.
struct Function {
  Module *module;
  std::string entry;
  int allowedShared = 48 << 10; ///< bytes that a launch may ask for
};

struct Module {
  Context *context;
  Ptx ptx;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

/// The function of a handle in the current context; null, and noted, if there is none.
Function *findFunction(Context &context, void *handle);

} // namespace checking

#endif // HEED_TESTS_DEVICE_CUDA_DRIVER_MODULES_H
