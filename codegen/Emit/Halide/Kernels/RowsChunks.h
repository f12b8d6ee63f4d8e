//===- RowsChunks.h - Chunks of keys with their own softmax -----*- C++ -*-===//
//
// One block of query rows against chunks of keys, query rows in lanes: each chunk yields its largest score,
// its sum of weights and its weighted sum of values. AttentionRows merges them. A chunk's stages are computed
// inside the loop over chunks, so that memory holds one chunk at a time.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_ROWSCHUNKS_H
#define HEED_CODEGEN_KERNELS_ROWSCHUNKS_H

#include "AttentionOperands.h"
#include "Transpose.h"

namespace heed::kernels {

class RowsChunks {
public:
  /// The keys [keys.first, keys.end), whose bounds are parameters; `queries` is (row, d) -> q · factor. With
  /// `knownVisible`, every row sees all of them.
  RowsChunks(const AttentionOperands &in, const RowsTile &tile, int lanes, const Halide::Func &queries,
             const KeyRange &keys, bool knownVisible, OpaqueScalars &scalars);

  Halide::Expr count() const; ///< of chunks
  bool appliesProgram() const { return cleans; }
  void schedule(const Halide::Func &consumer, const Halide::RDom &loop);

  Halide::Func largest{"largest"}, sum{"sum"}; ///< (row, c)
  Halide::Func output{"chunk_output"};         ///< (row, value column, c)

private:
  void defineScores(const Halide::Func &queries, bool knownVisible);
  void defineWeights();
  void defineProduct();
  void defineCleaning();
  void scheduleCleaning(const Halide::LoopLevel &level);

  bool hasSquares(size_t capture) const;
  Halide::RDom keysOf(const char *name) const;
  Halide::Expr valueOf(const Halide::Expr &key) const;

  const AttentionOperands &in;
  const RowsTile &tile;
  const int lanes;
  const bool cleans;

  Halide::Var r{"r"}, j{"j"}, c{"c"}, x{"x"}, l{"l"};
  KeyRange keys;
  Halide::Expr begin;    ///< first key of chunk c
  Halide::Expr keyIndex; ///< j-th key of chunk c, for the score program
  Halide::RDom depths, maxKeys, sumKeys, valueKeys, allOutputs, allLanes, cleanKeys;
  std::vector<Transpose> squares; ///< captures as (row, j, c)
  Halide::Func dot{"dot"}, scores{"scores"}, weights{"weights"}, partial{"partial"}, product{"product"},
      worst{"worst"}, unclean{"unclean"};
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ROWSCHUNKS_H
