//===- DeviceAttentionBlock.h - One block of an attention -------*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONBLOCK_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONBLOCK_H

#include "DeviceAttentionOperands.h"

namespace heed::kernels {

/// What the Funcs of an attention's kernel share: operands, sizes and variables. Every Func has the grid's
/// variables last; a block of threads computes one element along them.
class AttentionBlock {
public:
  /// With `partKeys`, a block takes but so many keys, and the grid goes over such parts, too.
  AttentionBlock(const AttentionKernel &kernel, const DeviceAttentionTile &tile, const DeviceTarget &target,
                 int partKeys = 0);

  std::vector<Halide::Var> args(std::vector<Halide::Var> first) const;
  std::vector<Halide::Expr> at(std::vector<Halide::Expr> first) const;

  /// The block's row y + threadsY · n, and where it is read: past the last that one is repeated.
  Halide::Expr rowAt(const Halide::Expr &y, const Halide::Expr &n) const;
  Halide::Expr knownRow(const Halide::Expr &row) const { return min(row, max(in.rows - 1, 0)); }
  Halide::Expr knownKey(const Halide::Expr &key) const { return min(key, max(in.keys - 1, 0)); }
  HeadPlace head() const { return {std::vector<Halide::Expr>(place.begin(), place.end())}; }
  /// The keys that the block may take, seen or not.
  KeyRange ownKeys() const;

  /// Computed above the loops over threads, and kept from one to the next: `elements`, which follow x and y,
  /// are a thread's.
  void keepInRegisters(Halide::Func func, const std::vector<Halide::Var> &elements,
                       const Halide::LoopLevel &level);
  /// In the same way, but to be seen by all threads.
  void share(Halide::Func func, const std::vector<Halide::Var> &elements, const Halide::LoopLevel &level);
  /// What all threads copy to shared memory, neighbours along `inner`, with four more elements between its
  /// rows, so that vectors from as many rows as a warp reads lie in different banks.
  void stage(Halide::Func func, const Halide::Var &inner, int innerExtent, const Halide::Var &outer,
             int outerExtent, const Halide::LoopLevel &level) const;
  /// The loops of an update within threads, innermost first: those in `unrolled` become code.
  void update(Halide::Func func, int number, const std::vector<Halide::VarOrRVar> &unrolled,
              const std::vector<Halide::VarOrRVar> &inThread = {},
              const std::vector<Halide::VarOrRVar> &outside = {}) const;

  bool isNormalized() const { return !in.kernel.unnormalized; }
  /// The state of a row: largest score and sum, unless nothing is normalized, then value columns.
  int columnsAt() const { return isNormalized() ? 2 : 0; }
  int parts() const { return columnsAt() + columns; }
  bool mayHide() const { return in.mayHide || in.changesScore; }

  const DeviceAttentionOperands in;
  const DeviceAttentionTile tile;
  const DeviceTarget &target;
  const int partKeys; ///< 0: all
  const int keyChunk, queryBlock;
  const int columns, columnBlock; ///< value columns of a thread, and of all

  Halide::Var x{"x"}, y{"y"};         ///< a thread
  Halide::Var u{"u"}, v{"v"}, n{"n"}; ///< its keys, rows and value columns
  Halide::Var c{"c"}, s{"s"}, p{"p"}; ///< a chunk of keys, a slice of it or of the depth, a key of these
  Halide::Var d{"d"}, i{"i"}, r{"r"}; ///< column of q and k, column of v, row of the block
  std::vector<Halide::Var> place;     ///< of a HeadPlace
  Halide::Var queries{"query_block"}, valueColumns{"value_columns"}; ///< blocks of these
  Halide::Var part{"part"};                                          ///< of the keys
  Halide::Func state{"state"};                                       ///< (x, y, v)
  std::vector<RegisterArray> registers;                              ///< all Funcs that are kept there

private:
  void onePerBlock(Halide::Func func) const;

  std::vector<Halide::Var> grid;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONBLOCK_H
