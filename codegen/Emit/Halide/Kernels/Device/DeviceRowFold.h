//===- DeviceRowFold.h - A row folded by threads ----------------*- C++ -*-===//
//
// The frame of what looks at one row at a time: where rows lie among blocks and threads, and folds of them.
// Everything within a block is indexed by the explicit numbers of its threads and of the block.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEROWFOLD_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEROWFOLD_H

#include "../RowFold.h"
#include "Rows.h"

#include <string>
#include <vector>

namespace heed::kernels {

enum class RowResult { Elements, Values }; ///< y(n, row, grid…) or y(row, grid…)

class DeviceRows {
public:
  DeviceRows(const Halide::Type &input, const Halide::Type &result, RowResult shape, int gridRank,
             const DeviceRowsSchedule &schedule);

  /// What every row of a batch has: its element at an index, in the accumulator's type.
  class Parameter {
  public:
    Halide::Expr inStage(const Halide::Expr &index) const { return at(index, rows->block); }
    Halide::Expr inResult() const { return at(rows->elementIndex(), rows->places[3]); }

  private:
    friend class DeviceRows;
    Parameter(const DeviceRows &rows, const DeviceOperand &operand) : rows(&rows), operand(operand) {}
    Halide::Expr at(const Halide::Expr &index, const Halide::Expr &block) const;

    const DeviceRows *rows;
    DeviceOperand operand;
  };
  Parameter add(const Halide::Type &type, const std::string &name);

  /// A Func (threadY, block) of rows, at the row of a place in the result. `finish` computes it once per
  /// thread.
  Halide::FuncRef inResult(const Halide::Func &ofRow) const { return ofRow(places[2], places[3]); }

  /// An element of the row that a thread folds, in the accumulator's type.
  Halide::Expr folded(const Halide::Expr &index) const;

  /// The element of x where an element of the result lies.
  Halide::Expr element() const;

  /// Stores `value` at every place of the result; it uses `ofRow` by inResult.
  DeviceFunction finish(const std::string &name, const Halide::Expr &value, Halide::Func ofRow);

  /// The loop over blocks, after `finish`.
  Halide::LoopLevel blocks() const { return {y, places[3]}; }

  const DeviceRowsSchedule schedule;
  const Halide::Type type; ///< what is folded
  Halide::Var threadX{"thread_x"}, threadY{"thread_y"}, block{"block"};
  Halide::RDom places; ///< in the result: element of a thread, thread, row in the block, block
  DeviceOperand x;
  const Halide::Expr count; ///< elements of a row

private:
  int rank() const { return gridRank + (hasElements ? 2 : 1); }
  Halide::Expr rowBlocks() const;
  Halide::Expr gridExtent(int axis) const;
  Halide::Expr rowOf(const Halide::Expr &threadY, const Halide::Expr &block) const;
  Halide::Expr resultRow() const;
  Halide::Expr elementIndex() const;
  GridIndices tileOf(const Halide::Expr &block) const;

  const Halide::Type result;
  const bool hasElements;
  const int gridRank;
  std::vector<DeviceOperand> parameters;
  Halide::Func y{"y"};
};

class DeviceRowFold {
public:
  DeviceRowFold(const DeviceRows &rows, const Fold &fold);

  /// Of the row that a thread folds, in a later stage.
  Values inStage() const;

  /// After rows.finish.
  void schedule();

private:
  const DeviceRows &rows;
  Halide::Func ofThread;              ///< in its registers
  std::vector<Halide::Func> inShared; ///< the last has one value per row
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEROWFOLD_H
