//===- Evaluated.h - Cases through the reference evaluator ------*- C++ -*-===//
#ifndef HEED_TESTS_CONFORMANCE_ONNX_EVALUATED_H
#define HEED_TESTS_CONFORMANCE_ONNX_EVALUATED_H

#include <string>

namespace onnx {

/// Evaluates the graph of that name, of those linked into the test, and compares its outputs.
void checkEvaluated(const std::string &name);

} // namespace onnx

#endif // HEED_TESTS_CONFORMANCE_ONNX_EVALUATED_H
