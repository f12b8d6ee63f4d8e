//===- DeviceRowFold.h - A row folded by threads ----------------*- C++ -*-===//
//
// The frame of what looks at one row at a time: where rows lie among blocks and threads, and folds of them.
// Stages within a block have explicit numbers of threads and of the block as their indices.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEROWFOLD_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEROWFOLD_H

#include "../RowFold.h"
#include "Rows.h"

namespace heed::kernels {

class DeviceRows {
public:
  DeviceRows(const Halide::Type &input, int gridRank, const DeviceRowsSchedule &schedule,
             const DeviceTarget &target);

  /// Elements of x in the accumulator's type: of the row that a thread folds, of the row of the result.
  Halide::Expr folded(const Halide::Expr &index) const;
  Halide::Expr element() const { return elementAt(n, row); }

  /// What every row of a batch has: the element at an index.
  std::function<Halide::Expr(const Halide::Expr &index)> add(const Halide::Type &type,
                                                             const std::string &name);

  /// Vars in front of those of the grid.
  std::vector<Halide::Var> withGrid(std::vector<Halide::Var> vars) const;

  /// y(n, row, grid…) or y(row, grid…) as the result. Fixes its schedule.
  DeviceFunction finish(const std::string &name, Halide::Func y);

  const DeviceRowsSchedule schedule;
  const Halide::DeviceAPI api;
  const Halide::Type type; ///< what is folded
  Halide::Var n{"n"}, row{"row"};
  Halide::Var threadX{"thread_x"}, threadY{"thread_y"}, rowBlock{"row_block"}; ///< of stages
  Halide::LoopLevel block, thread;                                             ///< once y is scheduled

private:
  Halide::Expr elementAt(const Halide::Expr &index, const Halide::Expr &row) const;

  std::vector<Halide::Var> grid;
  DeviceOperand x;
  std::vector<DeviceOperand> others;

public:
  const Halide::Expr count; ///< elements of a row
};

class DeviceRowFold {
public:
  DeviceRowFold(const DeviceRows &rows, const Fold &fold);

  /// Of the row that a thread folds, in a later stage; of the row of the result.
  Values inStage() const { return at(rows.threadY, rows.rowBlock); }
  Values inResult() const { return at(rows.row % rows.schedule.rows, rows.row / rows.schedule.rows); }

  /// After rows.finish.
  void schedule();

private:
  Values at(const Halide::Expr &threadY, const Halide::Expr &rowBlock) const;

  const DeviceRows &rows;
  Halide::Func ofThread;              ///< in its registers
  std::vector<Halide::Func> inShared; ///< the last has one value per row
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEROWFOLD_H
