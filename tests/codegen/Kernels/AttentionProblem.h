//===- AttentionProblem.h - One attention, tiled and naive ------*- C++ -*-===//
#ifndef HEED_TESTS_KERNELS_ATTENTIONPROBLEM_H
#define HEED_TESTS_KERNELS_ATTENTIONPROBLEM_H

#include "Attention.h"
#include "PagedArray.h"
#include "TileRunner.h"

#include <functional>
#include <map>
#include <memory>
#include <type_traits>

namespace heed::kernels {

/// The score program in double precision: what the naive evaluation does with one score.
struct PlainScore {
  double score;
  bool visible;
  double factor = 1; ///< of the weight that v is multiplied with
};
using PlainProgram = std::function<PlainScore(double score, int head, int query, int key)>;

/// softmax(scale · q kᵀ) v with every pair visible.
PlainScore plainScore(double score, int head, int query, int key);

/// A captured tensor (heads, queries, keys) with any strides, or a dense table.
struct CaptureData {
  std::vector<float> elements;
  int64_t headStride = 0, rowStride = 0, keyStride = 0;
  std::vector<int64_t> table; ///< extents, innermost first; empty where it is none
  double at(int head, int query, int key) const {
    return elements[head * headStride + query * rowStride + key * keyStride];
  }
};

/// Kernels that are compiled once and used for many problems.
struct RowsTiles {
  RowsTiles(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target = hostTarget());
  AttentionKernel kernel;
  RowsTile tile;
  LoadedTile function;
  std::optional<LoadedTile> lists; ///< where the kernel is listed
  std::optional<LoadedTile> pairs; ///< where its values are paired
};
struct DepthTiles {
  DepthTiles(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target = hostTarget());
  AttentionKernel kernel;
  int rows, keyChunk;
  LoadedTile part, merge;
};
struct MatrixTiles {
  MatrixTiles(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target = hostTarget());
  AttentionKernel kernel;
  RowsTile tile;
  LoadedTile function;
};

/// Inputs and results of one batch entry, (heads, tokens, depth), every array right before a guard page.
/// `members` query heads share a head of k and v. Q, K and V are the types of q (with sinks and out), k and
/// v.
template <class Q, class K = Q, class V = Q> struct ProblemOf {
  using Statistic = std::conditional_t<std::is_same_v<Q, double>, double, float>;
  using Rows = RowsTiles;
  using Depth = DepthTiles;

  ProblemOf(int heads, int queries, int keys, int depth, int valueDepth, unsigned seed = 1, int members = 1);

  int heads, queries, keys, depth, valueDepth, members;
  PagedArray<Q> q;
  PagedArray<K> k;
  PagedArray<V> v;
  PagedArray<Q> sinks, out;
  PagedArray<Statistic> largest, sum, logSumExp; ///< (heads, queries)
  PagedArray<Q> matrix;                          ///< (heads, queries, keys)
  std::vector<std::unique_ptr<PagedArray<float>>> captureArrays;
  std::vector<CaptureData> captures;
  std::vector<int32_t> extents;

  static AttentionTypes types();
  void addCapture(CaptureData data);

  void run(const RowsTiles &kernel);
  void run(const DepthTiles &kernel);
  /// With statistics, those of the latest run.
  void run(const MatrixTiles &kernel);

  /// A row, naively.
  struct Row {
    std::vector<double> scores, weights, output;
    double largest, sum, logSumExp;
  };
  Row expected(const AttentionKernel &kernel, const PlainProgram &program, int head, int query) const;

  /// Largest |found - expected| / (1 + |expected|) of all results; infinity where one is NaN and the other is
  /// not, or where memory beside a result has changed. Equal infinities and NaN count as equal.
  double error(const AttentionKernel &kernel, const PlainProgram &program) const;
  /// The same of the matrix.
  double matrixError(const AttentionKernel &kernel, const PlainProgram &program) const;

private:
  /// Rows of a tile: neighbouring queries of a head, or neighbouring heads at a query.
  struct Block {
    int head, first, rows;
  };
  std::vector<int32_t> scalars(const AttentionKernel &kernel, const Block &block, int firstKey = -1) const;
  void addCaptures(std::vector<Operand> &operands, const AttentionKernel &kernel, const Block &block,
                   int firstKey, int count) const;
  void addInputs(std::vector<Operand> &operands, const AttentionKernel &kernel, const Block &block,
                 int firstKey, int count) const;
  void clearResults();
  void addResults(std::vector<Operand> &operands, const AttentionKernel &kernel, const Block &block);
  void pairValues(const RowsTiles &kernel, int head, PagedArray<uint32_t> &pairs,
                  ScratchContext &scratch) const;
  void runBlock(const RowsTiles &kernel, const Block &block, ScratchContext &scratch);
  void runBlock(const DepthTiles &kernel, const Block &block, ScratchContext &scratch);
  /// Distance of a tile's rows, in queries.
  int64_t rowStep(const AttentionKernel &kernel) const { return kernel.memberRows ? queries : 1; }
};

using AttentionProblem = ProblemOf<float>;

} // namespace heed::kernels

#endif // HEED_TESTS_KERNELS_ATTENTIONPROBLEM_H
