//===- DeviceAttentionChunks.h - A block's loop over keys -------*- C++ -*-===//
//
// One update of the state of a block's rows: for each chunk of keys, scores in registers, their largest by
// way of shared memory, weights to shared memory, weighted sums of values onto the running ones in registers.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONCHUNKS_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONCHUNKS_H

#include "DeviceAttentionBlock.h"

namespace heed::kernels {

class AttentionChunks {
public:
  /// The chunks are [0, count) after `first` of the range, which is a key or, of a key list, an entry.
  /// `range` is (x, y) -> first, or undefined for 0. `initial` is the state before any chunk, by part.
  AttentionChunks(AttentionBlock &block, const Halide::Func &range, const Halide::Expr &count,
                  const std::vector<Halide::Expr> &initial);

  /// The same anew, beginning with the initial state, if `again`, which is (x, y), is not 0. The values of
  /// hidden pairs are left out instead of multiplied by 0: they may be infinite or NaN.
  AttentionChunks(AttentionBlock &block, const Halide::Func &range, const Halide::Func &again,
                  const std::vector<Halide::Expr> &initial);

  /// The state after a chunk.
  std::vector<Halide::Expr> next() const;

  /// As the update `number` of the block's state.
  void schedule(int number);

  Halide::RDom chunks; ///< chunks.y, outside, has one step

private:
  void define();
  Halide::Expr stateNow(int part) const;
  Halide::Expr keyAt(const Halide::Expr &p) const;
  Halide::Expr bounded(const Halide::Expr &start) const;
  void defineScores();
  void defineWeights();
  void defineProduct();
  void scheduleScores(const Halide::LoopLevel &chunk);
  void scheduleWeights(const Halide::LoopLevel &chunk);
  void scheduleProduct(const Halide::LoopLevel &chunk);

  AttentionBlock &block;
  const Halide::Func range, again; ///< may be undefined
  const std::vector<Halide::Expr> initial;

  bool isCareful() const { return again.defined(); }

  Halide::Func entry{"entry"};       ///< (x, y, c): of the key list
  Halide::Func start{"chunk_start"}; ///< (x, y, c): the chunk's first key
  Halide::Func queries{"queries"}, keys{"keys"}, queryVectors{"query_vectors"}, keyVectors{"key_vectors"};
  Halide::Func dot{"dot"}, scores{"scores"}; ///< (x, y, u, v, c)
  Halide::Func largestOfThread{"largest_of_thread"}, largest{"largest"}, rescale{"rescale"}; ///< (x, y, v, c)
  Halide::Func weights{"weights"}; ///< (x, y, u, v, c)
  Halide::Func factors{"factors"}; ///< (p, y, v, c): what v is multiplied with
  Halide::Func values{"values"}, factorVectors{"factor_vectors"}, valueVectors{"value_vectors"};
  Halide::Func sums{"sums"}; ///< (x, y, n, v, c)
  Halide::RDom depths, others, slices;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONCHUNKS_H
