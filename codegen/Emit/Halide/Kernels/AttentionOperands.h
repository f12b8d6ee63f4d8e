//===- AttentionOperands.h - What all attention tiles share -----*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_ATTENTIONOPERANDS_H
#define HEED_CODEGEN_KERNELS_ATTENTIONOPERANDS_H

#include "Attention.h"

namespace heed::kernels {

/// Scalars and operands of a tile that sees q, k and v, and the score program applied to them.
struct AttentionOperands {
  explicit AttentionOperands(const AttentionKernel &kernel);
  AttentionOperands(const AttentionOperands &) = delete;

  const AttentionKernel &kernel;
  Halide::Param<int32_t> batch{"batch"}, head{"head"}, firstQuery{"first_query"}, firstKey{"first_key"};
  std::vector<Halide::Param<int32_t>> extentParams;
  std::vector<Halide::Expr> extents;
  Halide::ImageParam q, k, v;
  std::vector<Halide::ImageParam> captures;
  Halide::Expr rows, keys, depth, valueDepth;

  /// Weights are 2^(unit · score). Where the program leaves scores as they are, log2 e is in the queries'
  /// factor and unit is 1.
  Halide::Expr unit, queryFactor;

  /// Whether the program changes scores: it may then make them -infinity, which hides.
  bool changesScore = false;
  /// Whether the program says which pairs are visible.
  bool mayHide = false;

  /// An element of a capture; `row` and `key` are positions in the operand.
  Halide::Expr element(size_t capture, const Halide::Expr &row, const Halide::Expr &key) const;

  /// The score after the program; -infinity where hidden, unless the pair is known to be visible. `row` is a
  /// position in the operands, `keyIndex` what the program sees, `elements` one per capture.
  Halide::Expr score(const Halide::Expr &dot, const Halide::Expr &row, const Halide::Expr &keyIndex,
                     const std::vector<Halide::Expr> &elements, bool knownVisible = false) const;

  /// The keys [first, end) of all `count` that any row of the tile can see.
  KeyRange visibleKeys(const Halide::Expr &count) const;

  /// The keys of `visible` that every row sees, where the program knows.
  KeyRange fullKeys(const KeyRange &visible) const;

  /// q · queryFactor; rows past the last repeat it.
  Halide::Expr query(const Halide::Expr &d, const Halide::Expr &row) const;

  /// All captured elements at one place.
  std::vector<Halide::Expr> elements(const Halide::Expr &row, const Halide::Expr &key) const;

  std::vector<Halide::Argument> arguments(bool withFirstKey) const;

private:
  ScoreAndVisible apply(const Halide::Expr &score, const Halide::Expr &row, const Halide::Expr &keyIndex,
                        const std::vector<Halide::Expr> &elements) const;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ATTENTIONOPERANDS_H
