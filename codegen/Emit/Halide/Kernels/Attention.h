//===- Attention.h - Tile functions of fused attention ----------*- C++ -*-===//
//
// out = softmax(program(scale · q kᵀ)) v for one (batch, head), as tile functions of three kinds:
//
//   rows in lanes   one block of query rows against all keys that any of them can see.
//                   Launch: grid over batch, head, queries with block `tile.queryBlock`.
//   depth in lanes  few rows against one chunk of keys.
//                   Launch: grid over batch, head, keys with block `depthKeyChunk`.
//   merge           of the parts that depth in lanes yields. Launch: grid over batch, head.
//
// Operands (innermost axis first; all mins 0; buffers already cropped to the tile):
//
//   buildAttentionRows   scalars batch, head, first query [, extents…]
//                        q(d, rows) k(d, keys) v(e, keys) captures(keys, rows)… -> out(e, rows)
//   buildDepthPart       scalars batch, head, first query, first key [, extents…]
//                        q(d, rows) k(d, keys) v(e, keys) captures(keys, rows)… -> o(e, rows) m(rows) l(rows)
//                        where k, v and captures are cropped to the chunk's keys
//   buildDepthMerge      no scalars; o(e, rows, chunks) m(rows, chunks) l(rows, chunks) -> out(e, rows)
//
// Parts are f32 and private to the two functions: m is the largest visible score (the lowest float if there
// is none), l the sum of the weights relative to it, o the sum of weight · v. m is in the unit of the
// kernel's exponent.
//
// The element of every capture at (key, row) is given to the score program.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_ATTENTION_H
#define HEED_CODEGEN_KERNELS_ATTENTION_H

#include "Schedule/Schedule.h"
#include "TileFunction.h"

#include <functional>

namespace heed::kernels {

/// New score of one (query, key) pair. An undefined `visible` means always visible; a hidden pair has no
/// influence.
struct ScoreAndVisible {
  Halide::Expr score;   ///< f32
  Halide::Expr visible; ///< bool, or undefined
};

/// Half-open range of keys.
struct KeyRange {
  Halide::Expr first, end;
};

/// A captured operand. Along an axis where it is broadcast, its stride must be 0; along keys it is 1
/// otherwise.
struct Capture {
  Halide::Type type;
  bool alongKeys = true, alongRows = true;
};

/// What happens between q kᵀ and the softmax. All indices and extents are int32.
struct ScoreProgram {
  std::vector<Capture> captures;
  int extents = 0; ///< extent scalars that the program reads

  /// Null: the score stays as it is and everything is visible.
  std::function<ScoreAndVisible(Halide::Expr score, Halide::Expr batch, Halide::Expr head, Halide::Expr query,
                                Halide::Expr key, const std::vector<Halide::Expr> &captureElements,
                                const std::vector<Halide::Expr> &extents)>
      apply;

  /// The keys that any query of [firstQuery, lastQuery] can see, as a range that contains them. It may reach
  /// outside [0, keys). Null: all.
  std::function<KeyRange(Halide::Expr firstQuery, Halide::Expr lastQuery, Halide::Expr keys,
                         const std::vector<Halide::Expr> &extents)>
      visibleKeys;

  /// Keys that every query of [firstQuery, lastQuery] surely sees, as a range, which may be empty or reach
  /// outside [0, keys). `visible` is not looked at there. Null: never known.
  std::function<KeyRange(Halide::Expr firstQuery, Halide::Expr lastQuery, Halide::Expr keys,
                         const std::vector<Halide::Expr> &extents)>
      fullKeys;
};

struct AttentionKernel {
  std::string name;
  Halide::Type element = Halide::Float(32);
  std::optional<int64_t> depth, valueDepth; ///< d and e where they are numbers
  double scale = 1;                         ///< factor of q kᵀ
  ScoreProgram program;
};

TileFunction buildAttentionRows(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target);

/// At most `rows` query rows per tile.
TileFunction buildDepthPart(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target);
TileFunction buildDepthMerge(const AttentionKernel &kernel, int rows, const CpuTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ATTENTION_H
