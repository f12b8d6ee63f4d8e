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
#include "FuseFolds.h"
#include "ShareMemory.h"
#include "Transpose.h"

namespace heed::kernels {

/// What chunks are cut from. Bounds are parameters.
struct ChunkKeys {
  KeyRange keys;                   ///< keys, or places in the row of keys that a part of a list makes
  std::optional<KeyRange> others;  ///< more keys, whose chunks follow
  bool knownVisible;               ///< every row sees all of them
  Halide::Expr firstEntry, blocks; ///< the part of the list; undefined where there is no list
};

class RowsChunks {
public:
  /// `queries` is (row, d) -> q · factor, or (row, pair along d).
  RowsChunks(const AttentionOperands &in, const RowsTile &tile, int lanes, const Halide::Func &queries,
             const ChunkKeys &of, OpaqueScalars &scalars);

  Halide::Expr count() const; ///< of chunks
  bool appliesProgram() const { return cleans; }
  void schedule(const Halide::Func &consumer, const Halide::RDom &loop);

  /// Largest scores and sums of weights are taken where scores and weights are computed, in one memory if
  /// nothing else reads the scores.
  std::vector<FusedFold> folds() const;
  std::vector<SharedMemory> shared() const;

  Halide::Func largest{"largest"}, sum{"sum"}; ///< (row, c); not defined where nothing is normalized
  Halide::Func output{"chunk_output"};         ///< (row, value column, c); not defined without a value

private:
  void chooseGroups(OpaqueScalars &scalars);
  void defineDot(const Halide::Func &queries);
  void defineScores();
  void defineWeights();
  void defineFactors();
  void defineProduct();
  void defineCleaning();
  void scheduleScores(const Halide::LoopLevel &level);
  void scheduleProduct(const Halide::LoopLevel &level);
  void scheduleCleaning(const Halide::LoopLevel &level);

  bool isListed() const { return of.firstEntry.defined(); }
  bool hasSquares(size_t capture) const;
  int rowsPerTile() const { return lanes * tile.vectors; }
  /// Rows of a register tile of outputs. What a group sees is known of the scores' rows.
  int rowsPerValueTile() const { return seen ? rowsPerTile() : lanes * tile.valueVectors; }
  Halide::Expr chunksOf(const KeyRange &range) const;
  Halide::Expr keysLeft() const;
  Halide::Expr keysLeftForPairs() const;
  Halide::Expr keyAt(const Halide::Expr &j) const;
  Halide::Expr readableKeyAt(const Halide::Expr &j) const;
  Halide::RDom keysOf(const char *name) const;
  Halide::RDom valueKeysOf(const char *name) const;
  Halide::RDom keyPairsOf(const char *name) const;
  Halide::Expr placeOf(const Halide::RDom &valueKeys) const;
  Halide::Expr knownColumn() const;
  /// Whether weights are rounded to bf16 where they are computed, before they are summed: where v is
  /// multiplied with just them, and nobody asks for the sum.
  bool hasWeightPairs() const {
    const AttentionKernel &kernel = in.kernel;
    return in.dotsValues && !kernel.program.weigh && !kernel.unnormalized && !kernel.statistics &&
           !kernel.logSumExp;
  }

  const AttentionOperands &in;
  const RowsTile tile;
  const int lanes;
  const ChunkKeys of;
  const bool cleans;

  Halide::Var r{"r"}, j{"j"}, c{"c"}, x{"x"}, l{"l"};
  Halide::Var group{"group"}, t{"t"}; ///< rows of one register tile: r = group · rowsPerTile + t
  std::optional<KeyRange> seen;       ///< the keys that any row of a group sees, where that is less than all
  Halide::Expr row;                   ///< r, or the last row
  Halide::Expr begin;                 ///< first key of chunk c
  Halide::Expr end;                   ///< of the keys that chunk c is cut from
  Halide::Expr keyIndex;              ///< j-th key of chunk c, for the score program
  Halide::RDom depths, maxKeys, sumKeys, valueKeys, allOutputs, allLanes, cleanKeys;
  std::map<size_t, Transpose> squares;        ///< captures by number, as (row, j, c)
  Halide::Func widenedKeys{"widened_keys"};   ///< (d, j, c), where k is not read as it is
  Halide::Func packedValues{"packed_values"}; ///< (x, j, c), where v is not: wider, or pairs along j
  Halide::Func dot{"dot"}, scores{"scores"}, weights{"weights"}, factors{"factors"}, partial{"partial"},
      product{"product"}, worst{"worst"}, unclean{"unclean"};
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ROWSCHUNKS_H
