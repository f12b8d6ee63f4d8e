//===- Ptx.h - A module of PTX ----------------------------------*- C++ -*-===//
///
/// \file
/// The kernels of a module with their parameters, and its shared memory.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_DRIVER_PTX_H
#define HEED_TESTS_DEVICE_CUDA_DRIVER_PTX_H

#include "PtxCode.h"

namespace checking {

struct Parameter {
  std::string name;
  int bytes;
  bool isPointer; ///< the code says so
};

struct Entry {
  std::vector<Parameter> parameters;
  Kernel kernel;
};

struct Ptx {
  double version = 0;
  int target = 0; ///< 80 is sm_80
  std::map<std::string, Entry> entries;
  std::vector<std::byte> tables; ///< of numbers that come with the code, one behind the other
  bool declaresShared = false;   ///< shared memory whose size a launch gives
};

/// What is wrong with the text; empty if nothing is.
std::string parse(std::string_view text, Ptx &ptx);

} // namespace checking

#endif // HEED_TESTS_DEVICE_CUDA_DRIVER_PTX_H
