//===- ScoreLaunch.h - Launches over queries and keys -----------*- C++ -*-===//
///
/// \file
/// What the launches of heed.attention and heed.scores have in common: their grid (batch, heads, blocks of
/// queries, chunks of keys), their first scalars, and how each operand lies along that grid.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_SCORELAUNCH_H
#define HEED_CODEGEN_EMIT_HALIDE_SCORELAUNCH_H

#include "Emitter.h"
#include "ScoreProgram.h"

namespace heed {

/// The extents that the scores of one operation run over.
struct ScoreExtents {
  ir::ExtentAttr batch, head, queries, keys, depth;
  ir::ExtentAttr members; ///< query heads that share a head of keys
  ir::ExtentAttr keyHead; ///< head / members
  bool hasHead;           ///< two leading axes

  template <typename Op>
  explicit ScoreExtents(Op op)
      : ScoreExtents(op.getScoreShape(), op.getHeadsPerKey(), ir::tensorType(op.getQuery()).getExtent(-1)) {}

  bool isGrouped() const { return !members.isOne(); }

private:
  ScoreExtents(llvm::ArrayRef<ir::ExtentAttr> shape, ir::ExtentAttr members, ir::ExtentAttr depth);
};

/// A launch under construction. Grid axes that it does not have are -1: its operands do not move along them.
class ScoreLaunch {
public:
  /// The leading axes along which the launch runs. With `memberRows`, the rows of a tile are up to that many
  /// members of a group at one query.
  struct Along {
    bool batch = true, heads = true;
    int memberRows = 0;
  };
  ScoreLaunch(Emitter &emitter, const ScoreExtents &extents, std::string function, llvm::StringRef part,
              const Along &along);

  int addQueries(int block) { return queryGrid = addAxis(extents.queries, block); }
  int addKeys(int block) { return keyGrid = addAxis(extents.keys, block); }

  /// HEAD of Kernels/Attention.h.
  void addHeadScalars();
  /// HEAD, the first query and key of the tile, then these extents; on a device the extents alone.
  void addScalars(llvm::ArrayRef<ir::ExtentAttr> readExtents);

  /// (inner, queries) of a value with one row per query; (inner, keys) of keys or values.
  void addQueryRows(llvm::StringRef name, mlir::Value value, ir::ExtentAttr inner, bool isOutput = false);
  void addKeyRows(llvm::StringRef name, mlir::Value value, ir::ExtentAttr inner);
  /// (keys, queries) of a score matrix that is written.
  void addMatrix(llvm::StringRef name, mlir::Value value);
  /// (queries) of a value with one number per row.
  void addStatistic(llvm::StringRef name, mlir::Value value, bool isOutput);
  void addSink(mlir::Value value);
  /// An operand without elements of its own, whose extents are the keys and the rows of the tile.
  void addShape(mlir::Value any);
  void addCapture(unsigned number, const Capture &capture);
  /// A dense temporary (batch, heads, others…); `others` are innermost first, the first `kernelRank` of them
  /// seen by the tile function. Their axes count from 2.
  void addTemporary(llvm::StringRef name, unsigned buffer, unsigned kernelRank, bool isOutput,
                    llvm::ArrayRef<program::Axis> others);
  /// A temporary of the heads of keys, to be read: the last two of its axes are head and batch.
  void addKeyTemporary(llvm::StringRef name, unsigned buffer, llvm::ArrayRef<program::Axis> axes);
  /// The rows of a tile along a temporary (batch, heads, chunks, queries, …).
  program::Axis rowsOfTemporary() const;

  program::Launch take(unsigned work);

  int queryGrid = -1, keyGrid = -1;

private:
  void addScalar(int grid);
  int addAxis(ir::ExtentAttr extent, int block = 1) { return emitter.addGridAxis(launch, extent, block); }
  void addOperand(llvm::StringRef name, mlir::Value value, llvm::SmallVector<AxisUse> uses,
                  unsigned kernelRank, bool isOutput);
  /// Appends the axes that the grid walks over query heads, along an axis of a value.
  void addHeads(llvm::SmallVectorImpl<AxisUse> &uses, std::optional<int64_t> axis) const;
  /// Appends the rows of a tile, and what the grid walks beside them over queries and heads.
  void addRows(llvm::SmallVectorImpl<AxisUse> &uses, std::optional<int64_t> queryAxis,
               std::optional<int64_t> headAxis) const;
  std::optional<int64_t> batchAxis(mlir::Value value, int64_t trailing) const;
  std::optional<int64_t> headAxis(mlir::Value value, int64_t trailing) const;

  Emitter &emitter;
  const ScoreExtents &extents;
  program::Launch launch;
  bool rowsAreMembers;
  int batchGrid = -1, headGrid = -1, memberGrid = -1;
};

/// Arithmetic operations of q kᵀ with a number of products per score, as an extent.
unsigned scoreWork(ProgramBuilder &builder, const ScoreExtents &extents, ir::ExtentAttr perScore);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_SCORELAUNCH_H
