//===- Explain.h - What became of every softmax -----------------*- C++ -*-===//
///
/// \file
/// For `heed explain`: which softmax of a kernel is now part of an attention and what that produces, and why
/// the others are not. Reads a kernel in the fused form.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_EXPLAIN_H
#define HEED_TRANSFORMS_EXPLAIN_H

#include "Dialect/Heed.h"

#include <vector>

namespace heed {

struct SoftmaxReport {
  mlir::Operation *operation; ///< a heed.attention, a heed.scores, or what stayed
  bool isFused;
  std::string text; ///< `softmax at spec.cpp:12: fused into an attention that produces output, log_sum_exp`
};

/// One report per operation that came of scores and weights, in the kernel's order.
std::vector<SoftmaxReport> explainSoftmaxes(ir::KernelOp kernel);

} // namespace heed

#endif // HEED_TRANSFORMS_EXPLAIN_H
