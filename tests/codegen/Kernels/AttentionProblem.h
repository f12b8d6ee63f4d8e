//===- AttentionProblem.h - One attention, tiled and naive ------*- C++ -*-===//
#ifndef HEED_TESTS_KERNELS_ATTENTIONPROBLEM_H
#define HEED_TESTS_KERNELS_ATTENTIONPROBLEM_H

#include "Attention.h"
#include "PagedArray.h"
#include "TileRunner.h"

#include <functional>
#include <map>
#include <memory>

namespace heed::kernels {

/// The score program in double precision: what the naive evaluation does with one score.
struct PlainScore {
  double score;
  bool visible;
};
using PlainProgram = std::function<PlainScore(double score, int head, int query, int key)>;

/// A captured tensor (heads, queries, keys) with any strides.
struct CaptureData {
  std::vector<float> elements;
  int64_t headStride = 0, rowStride = 0, keyStride = 0;
  double at(int head, int query, int key) const {
    return elements[head * headStride + query * rowStride + key * keyStride];
  }
};

/// Inputs and output of one batch entry, (heads, tokens, depth), every array right before a guard page.
struct AttentionProblem {
  AttentionProblem(int heads, int queries, int keys, int depth, int valueDepth, unsigned seed = 1);

  int heads, queries, keys, depth, valueDepth;
  PagedArray<float> q, k, v, out;
  std::vector<std::unique_ptr<PagedArray<float>>> captureArrays;
  std::vector<CaptureData> captures;
  std::vector<int32_t> extents;

  void addCapture(CaptureData data);

  /// Kernels that are compiled once and used for many problems.
  struct Rows {
    Rows(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target = hostTarget());
    LoadedTile function;
    RowsTile tile;
  };
  struct Depth {
    Depth(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target = hostTarget());
    LoadedTile part, merge;
    int rows, keyChunk;
  };
  void run(const Rows &kernel);
  void run(const Depth &kernel);

  double expected(const PlainProgram &program, double scale, int head, int query, int column) const;

  /// Largest |out - expected| / (1 + |expected|); infinity where one is NaN and the other is not, or where
  /// memory beside the output has changed. NaN that is expected and found counts as equal.
  double error(const PlainProgram &program, double scale) const;
};

/// softmax(scale · q kᵀ) v with every pair visible.
PlainScore plainScore(double score, int head, int query, int key);

} // namespace heed::kernels

#endif // HEED_TESTS_KERNELS_ATTENTIONPROBLEM_H
