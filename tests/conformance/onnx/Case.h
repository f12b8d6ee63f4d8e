//===- Case.h - One node case of ONNX ---------------------------*- C++ -*-===//
///
/// \file
/// The files of a case, and the comparison of every element of an output with ONNX's value.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_CONFORMANCE_ONNX_CASE_H
#define HEED_TESTS_CONFORMANCE_ONNX_CASE_H

#include "Arrays/HostTensor.h"

#include <string>
#include <vector>

namespace onnx {

/// |got - expected| <= absolute + relative · |expected|; infinities and NaN must be the same.
struct Tolerance {
  double relative, absolute;
  bool holds(double got, double expected) const;
};

/// An input, or the expected value of an output.
heed::tools::HostTensor readArray(const std::string &name, const std::string &argument);

/// A result must hold all of them: ONNX's own, and the tight one of the element type.
std::vector<Tolerance> readTolerances(const std::string &name);

/// Fails the test at the first element that is out of tolerance.
void checkArray(const std::string &name, const std::string &output, const heed::reference::Shape &shape,
                const std::vector<double> &got);

} // namespace onnx

#endif // HEED_TESTS_CONFORMANCE_ONNX_CASE_H
