//===- FusedKernel.h - A kernel after the compiler's passes -----*- C++ -*-===//
///
/// \file
/// What became of each softmax of a kernel, and where the plain graph has its scores: for `heed explain` and
/// `heed plot tiles`.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_FUSEDKERNEL_H
#define HEED_TOOLS_FUSEDKERNEL_H

#include "Dialect/Heed.h"
#include "Kernels/Scores.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>

namespace heed::tools {

struct FusedSoftmax {
  std::string text;                ///< of SoftmaxReport
  ir::AttentionOp attention;       ///< null where there is none
  std::string name;                ///< of the attention, such as KERNEL.attention
  std::optional<ScoreChain> chain; ///< of the attention in the plain graph
  std::string projection;          ///< of the attention's queries, in words, if it is a launch of its own
};

class FusedKernel {
public:
  /// Throws ToolError when a pass fails.
  explicit FusedKernel(const spec::graph &kernel);

  /// In the kernel's order.
  const std::vector<FusedSoftmax> &softmaxes() const { return found; }

  /// How projections of one input run, a sentence each.
  const std::vector<std::string> &projections() const { return sentences; }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<FusedSoftmax> found;
  std::vector<std::string> sentences;
};

} // namespace heed::tools

#endif // HEED_TOOLS_FUSEDKERNEL_H
