//===- Compiled.h - Cases through their compiled kernels --------*- C++ -*-===//
#ifndef HEED_TESTS_CONFORMANCE_ONNX_COMPILED_H
#define HEED_TESTS_CONFORMANCE_ONNX_COMPILED_H

#include "heed/abi.h"

#include <string>

namespace onnx {

/// Calls the kernel on buffers between guard zones and compares its outputs, which are NaN before.
void checkCompiled(const std::string &name, const heed_program &program);

} // namespace onnx

#endif // HEED_TESTS_CONFORMANCE_ONNX_COMPILED_H
