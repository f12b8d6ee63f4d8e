//===- DeviceAttentionOperands.h - An attention's operands ------*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONOPERANDS_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONOPERANDS_H

#include "Attention.h"
#include "Emit/Halide/Kernels/ScoreProgramUse.h"

namespace heed::kernels {

/// Where a launch is: `grid` is batch, head[, member], or batch, head, query where rows are members.
struct HeadPlace {
  std::vector<Halide::Expr> grid;

  Halide::Expr batch() const { return grid[0]; }
  Halide::Expr head() const { return grid[1]; }
};

/// Operands of an attention on a device, and the score program applied to them.
struct DeviceAttentionOperands : ScoreProgramUse {
  /// `isMatrix`: scores are written out, and the grid cuts keys, too, as it does with `cutsKeys`.
  explicit DeviceAttentionOperands(const AttentionKernel &kernel, bool isMatrix = false,
                                   bool cutsKeys = false);
  DeviceAttentionOperands(const DeviceAttentionOperands &) = delete;

  const AttentionKernel &kernel;
  const Halide::Type accumulator;
  const int headRank; ///< of a HeadPlace
  const int gridRank; ///< with the axes that cut
  std::vector<Halide::Param<int32_t>> extentParams;
  std::vector<Halide::Expr> extents;
  DeviceOperand q, k, v, sink, list, counts;
  std::vector<DeviceOperand> captures;
  Halide::Expr rows, keys, depth, valueDepth, members;

  /// Elements of captures: `row` and `key` are places in the operands.
  ElementAt elementsAt(const HeadPlace &at, const Halide::Expr &row, const Halide::Expr &key) const;

  /// The score after the program; -infinity where hidden.
  Halide::Expr score(const Halide::Expr &dot, const HeadPlace &at, const Halide::Expr &row,
                     const Halide::Expr &key) const;

  /// Whether a pair is visible; undefined if all are.
  Halide::Expr visible(const HeadPlace &at, const Halide::Expr &row, const Halide::Expr &key) const;

  /// The weight with which v is multiplied.
  Halide::Expr weighed(const Halide::Expr &weight, const HeadPlace &at, const Halide::Expr &row,
                       const Halide::Expr &key) const;

  /// The keys, within all, that any of the rows [first, last] can see.
  KeyRange visibleKeys(const HeadPlace &at, const Halide::Expr &first, const Halide::Expr &last) const;

  /// Elements in the accumulator's type; q times queryFactor. Places past the last repeat it.
  Halide::Expr query(const HeadPlace &at, const Halide::Expr &d, const Halide::Expr &row) const;
  Halide::Expr key(const HeadPlace &at, const Halide::Expr &d, const Halide::Expr &key) const;
  Halide::Expr value(const HeadPlace &at, const Halide::Expr &column, const Halide::Expr &key) const;

  /// Of the key list of a block of query rows: the blocks' numbers, and how many there are.
  Halide::Expr listed(const HeadPlace &at, const Halide::Expr &queryBlock, const Halide::Expr &entry) const;
  Halide::Expr listedBlocks(const HeadPlace &at, const Halide::Expr &queryBlock) const;

  /// Of a row before any key: of the sink, if there is one. A sink of -infinity is none.
  RowState initialState(const HeadPlace &at, const Halide::Expr &row) const;

  /// Of a row after all keys: those of `largest`, `sum` and `log_sum_exp` that the kernel has.
  std::vector<Halide::Expr> statistics(const RowState &state) const;

  /// Scalars, then the operands by name.
  void appendTo(DeviceFunction &function, const std::vector<const DeviceOperand *> &before) const;
  void append(DeviceFunction &function, const DeviceOperand &operand) const;

  GridIndices tile(const HeadPlace &at, const Halide::Expr &block = 0) const;

  /// A place's variables in the order of the grid, in which `block` stands for blocks of rows.
  std::vector<Halide::Var> gridOrder(std::vector<Halide::Var> place, const Halide::Var &block) const;

private:
  ScorePosition position(const HeadPlace &at, const Halide::Expr &row, const Halide::Expr &key) const;
  ScoreAndVisible apply(const Halide::Expr &score, const HeadPlace &at, const Halide::Expr &row,
                        const Halide::Expr &key) const;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEATTENTIONOPERANDS_H
