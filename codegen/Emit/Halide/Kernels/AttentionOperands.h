//===- AttentionOperands.h - What all attention tiles share -----*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_ATTENTIONOPERANDS_H
#define HEED_CODEGEN_KERNELS_ATTENTIONOPERANDS_H

#include "ScoreProgramUse.h"

namespace heed::kernels {

/// Scalars and operands of the tiles of an attention, and the score program applied to them.
struct AttentionOperands : ScoreProgramUse {
  /// `isMatrix`: scores are written out.
  /// `dotsBf16`: products of two bf16 operands are summed in pairs, unscaled.
  explicit AttentionOperands(const AttentionKernel &kernel, bool isMatrix = false, bool dotsBf16 = false);
  AttentionOperands(const AttentionOperands &) = delete;

  const AttentionKernel &kernel;
  const Halide::Type accumulator;
  /// Whether q kᵀ is summed in pairs of bf16, and the product with v, for which weights are rounded to bf16,
  /// where the output is too. These operands are read as u16. Statistics must be of the very sums that a
  /// score matrix takes again.
  const bool dotsScores, dotsValues;
  Halide::Param<int32_t> batch{"batch"}, head{"head"}, member{"member"}, members{"members"},
      firstQuery{"first_query"}, firstKey{"first_key"};
  std::vector<Halide::Param<int32_t>> extentParams;
  std::vector<Halide::Expr> extents;
  Halide::ImageParam q, k, v, sink, list, counts, pairs;
  std::vector<Halide::ImageParam> captures;
  Halide::Expr rows, keys, depth, valueDepth;

  /// Elements of captures at a place: `row` and `key` are positions in the operands.
  ElementAt elementsAt(const Halide::Expr &row, const Halide::Expr &key) const;

  /// The score after the program; -infinity where hidden, unless the pair is known to be visible. `row` is a
  /// position in the operands, `keyIndex` what the program sees.
  Halide::Expr score(const Halide::Expr &dot, const Halide::Expr &row, const Halide::Expr &keyIndex,
                     const ElementAt &element, bool knownVisible = false) const;

  /// Whether a pair is visible; undefined if all are.
  Halide::Expr visible(const Halide::Expr &row, const Halide::Expr &keyIndex, const ElementAt &element) const;

  /// The weight with which v is multiplied.
  Halide::Expr weighed(const Halide::Expr &weight, const Halide::Expr &row, const Halide::Expr &keyIndex,
                       const ElementAt &element) const;

  /// The keys [first, end) of all `count` that any row of the tile can see.
  KeyRange visibleKeys(const Halide::Expr &count) const;
  /// The same of the queries [first, last].
  KeyRange visibleKeys(const Halide::Expr &count, const Halide::Expr &first, const Halide::Expr &last) const;

  /// The keys of `visible` that every row sees, where the program knows.
  KeyRange fullKeys(const KeyRange &visible) const;

  /// q · queryFactor; rows past the last repeat it.
  Halide::Expr query(const Halide::Expr &d, const Halide::Expr &row) const;

  /// Elements in the accumulator's type.
  Halide::Expr widened(const Halide::Expr &element) const { return Halide::cast(accumulator, element); }
  Halide::Expr key(const Halide::Expr &d, const Halide::Expr &key) const;
  Halide::Expr value(const Halide::Expr &column, const Halide::Expr &key) const;

  /// Where scores are dots: elements 2 · pair and 2 · pair + 1 of q, unscaled, and of k, as one u32. Past an
  /// odd depth q has 0.
  Halide::Expr queryPair(const Halide::Expr &pair, const Halide::Expr &row) const;
  Halide::Expr keyPair(const Halide::Expr &pair, const Halide::Expr &key) const;

  /// Batch, head[, member, members].
  std::vector<Halide::Argument> headArguments() const;
  /// Head, first query[, first key], extents.
  std::vector<Halide::Argument> scalarArguments(bool withFirstKey) const;
  void appendCaptures(std::vector<Halide::Argument> &arguments) const;
  /// Scalars, q, k[, v], captures.
  std::vector<Halide::Argument> arguments(bool withFirstKey) const;

private:
  Halide::Expr lastQuery() const;
  ScorePosition position(const Halide::Expr &row, const Halide::Expr &keyIndex) const;
  ScoreAndVisible apply(const Halide::Expr &score, const Halide::Expr &row, const Halide::Expr &keyIndex,
                        const ElementAt &element) const;
  /// Elements as the formulas of key ranges see them.
  ElementAt elementsOfTile() const;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ATTENTIONOPERANDS_H
