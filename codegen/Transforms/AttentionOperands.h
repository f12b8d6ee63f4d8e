//===- AttentionOperands.h - Queries, keys and values -----------*- C++ -*-===//
///
/// \file
/// From the products around a softmax to the operands of an attention: keys in rows, constant factors taken
/// off queries and keys, repeated heads left out.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_ATTENTIONOPERANDS_H
#define HEED_TRANSFORMS_ATTENTIONOPERANDS_H

#include "Dialect/Heed.h"

#include <optional>

namespace heed {

struct AttentionOperands {
  mlir::Value query, key;
  mlir::Value value; ///< null without one
  double scale;      ///< factor of q kᵀ
};

/// The operands of an attention with the scores `product` · `scale`. Views that change are built anew.
AttentionOperands attentionOperands(mlir::OpBuilder &builder, ir::MatmulOp product, mlir::Value value,
                                    double scale);

/// A finite, nonzero number behind a rank-0 tensor.
std::optional<double> factorOf(mlir::Value tensor);

/// The factor of x · c or x / c, of which x is the first operand.
std::optional<double> factorOfFirst(mlir::Operation *op);

} // namespace heed

#endif // HEED_TRANSFORMS_ATTENTIONOPERANDS_H
