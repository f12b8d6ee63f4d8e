//===- KeyBounds.h - Bounds on keys as numbers ------------------*- C++ -*-===//
///
/// \file
/// Evaluates the expressions of a mask analysis (KeyExpr) for given sizes and inputs.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_KEYBOUNDS_H
#define HEED_TOOLS_KEYBOUNDS_H

#include "Dialect/Heed.h"
#include "Kernels/VisibleKeys.h"
#include "Transforms/KeyExpr.h"

namespace heed::tools {

/// A block of queries [firstQuery, lastQuery] of one head.
struct QueryBlock {
  std::int64_t batch, head, firstQuery, lastQuery;
};

class KeyBounds {
public:
  KeyBounds(ir::AttentionOp attention, const spec::graph &kernel, const reference::SymbolValues &values,
            const Inputs &inputs)
      : attention(attention), kernel(kernel), values(values), inputs(inputs) {}

  /// Nothing when the expression reads something that is neither an argument nor a size.
  std::optional<std::int64_t> evaluate(const KeyExpr &expr, const QueryBlock &block) const;

private:
  std::optional<std::int64_t> extentOf(ir::ExtentAttr extent) const;
  std::optional<std::int64_t> elementOf(mlir::Value value, const QueryBlock &block) const;

  mutable ir::AttentionOp attention; ///< its accessors are not const
  const spec::graph &kernel;
  const reference::SymbolValues &values;
  const Inputs &inputs;
};

} // namespace heed::tools

#endif // HEED_TOOLS_KEYBOUNDS_H
