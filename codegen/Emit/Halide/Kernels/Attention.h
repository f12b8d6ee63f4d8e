//===- Attention.h - Tile functions of fused attention ----------*- C++ -*-===//
//
// out = weighing(softmax(program(scale · q kᵀ))) v for one (batch, head), as tile functions of these kinds:
//
//   rows in lanes   one block of query rows against all keys that any of them can see.
//                   Launch: grid over batch, head[, member], queries with block `tile.queryBlock`.
//   depth in lanes  few rows against one chunk of keys.
//                   Launch: grid over batch, head[, member], queries with block `rows`, keys with block
//                   `depthKeyChunk`; with `memberRows` over batch, head, member with block `rows`, queries
//                   one by one, keys.
//   merge           of the parts that depth in lanes yields. Launch: grid over batch, head[, member].
//   key lists       which blocks of keys a block of query rows sees, where only the program's operands tell.
//                   Launch: grid over batch, head[, member], queries with block `tile.queryBlock`.
//   value pairs     values of bf16, for their dot products, in pairs of keys.
//                   Launch: grid over batch, head of the keys, pairs with any block.
//   score matrix    scores or weights, written out.
//                   Launch: grid as for rows in lanes, then keys with block `keyChunk`.
//
// Operands (innermost axis first; all mins 0; buffers already cropped to the tile; without a value, neither v
// nor o nor out):
//
//   buildAttentionRows   scalars HEAD, first query [, extents…]
//                        q(d, rows) k(d, keys) [v(e, keys)] captures… [sink(1)] [list(block) counts(2)]
//                        [pairs(column, pair, strip)] -> [out(e, rows)] [largest(rows)] [sum(rows)]
//                        [log_sum_exp(rows)]
//   buildDepthPart       scalars HEAD, first query, first key [, extents…]
//                        q(d, rows) k(d, keys) [v(e, keys)] captures… -> [o(e, rows)] m(rows) l(rows)
//                        where k, v and captures along keys are cropped to the chunk's keys
//   buildDepthMerge      scalars HEAD
//                        [o(e, rows, chunks)] m(rows, chunks) l(rows, chunks) [sink(1)]
//                        -> [out(e, rows)] [largest(rows)] [sum(rows)] [log_sum_exp(rows)]
//   buildKeyLists        scalars HEAD, first query [, extents…]
//                        shape(keys, rows) captures… -> list(block) counts(2)
//                        where shape is any operand whose extents are the keys and the rows of the tile
//   buildValuePairs      scalar first pair
//                        v(e, keys) -> pairs(column, pair, strip)
//   buildScoreMatrix     scalars HEAD, first query, first key [, extents…]
//                        q(d, rows) k(d, keys) captures… [largest(rows) sum(rows)] -> y(keys, rows)
//                        where k, captures along keys and y are cropped to the chunk's keys
//
// HEAD is batch, head; with `grouped` it is batch, head of the keys, member, members: `members` query heads
// share a head of keys and values, and the query head is head · members + member. With `memberRows`, rows of
// a tile are neighbouring members at one query, of which `member` is the first: so one tile reads the keys of
// a decode once for all of them. q, results, parts, captures along rows and sink(rows) run along members
// then; the merge's grid is over batch, head, member with block `rows`, queries.
//
// Parts are of the accumulator's type and private to the two functions: m is the largest visible score (the
// lowest number if there is none), l the sum of the weights relative to it, o the sum of weight · v. m is in
// the unit of the kernel's exponent. Results `largest` and `log_sum_exp` are in the unit of scores, natural
// logarithms. With `unnormalized`, m and l are written but hold nothing.
//
// Every operand has its own type, of which f64 goes with f64 alone. The accumulator's type is f64 for f64,
// else f32; statistics have it too. Statistics, sinks, m and l may have any stride.
//
// A key list holds numbers of blocks of `keyBlock` keys: counts(0) of them, which every row sees in full,
// from the front, then counts(1) of which some row may see some key; either kind ascends. The rest of list is
// not defined. The last block of keys, if it is not whole, is never among the first kind. A block that no row
// sees is in neither.
//
// A value pair is a u32: the value of an even key in the lower half, that of the next one in the upper, 0
// where there is none. Pairs lie in strips of `pairColumns` value columns.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_ATTENTION_H
#define HEED_CODEGEN_KERNELS_ATTENTION_H

#include "Schedule/Schedule.h"
#include "TileFunction.h"

#include <functional>

namespace heed::kernels {

/// Keys of one block of a key list; a key chunk is a multiple of it.
inline constexpr int keyBlock = 64;

/// New score of one (query, key) pair. An undefined `visible` means always visible; a hidden pair has no
/// influence.
struct ScoreAndVisible {
  Halide::Expr score;   ///< of the accumulator's type
  Halide::Expr visible; ///< bool, or undefined
};

/// Half-open range of keys.
struct KeyRange {
  Halide::Expr first, end;
};

/// A captured operand: (keys, rows), read at the position; or a table, which the program indexes itself.
/// Along an axis where it is broadcast, its stride must be 0; along keys it is 1 otherwise. A table may have
/// any strides.
struct Capture {
  Halide::Type type;
  bool alongKeys = true, alongRows = true;
  int tableRank = -1; ///< axes of a table, innermost first; -1: read at the position
};

/// An element as stored. `indices` are those of a table, innermost first, int32 or int64, of any value: they
/// are clamped into its axes; none for a capture that is read at the position.
using ElementAt = std::function<Halide::Expr(size_t capture, const std::vector<Halide::Expr> &indices)>;

/// Where a program is evaluated. All are int32.
struct ScorePosition {
  Halide::Expr batch, head, query, key;
};

/// What happens between q kᵀ and the values. All extents are int32.
struct ScoreProgram {
  std::vector<Capture> captures;
  int extents = 0; ///< extent scalars that the program reads

  /// Null: the score stays as it is and everything is visible.
  std::function<ScoreAndVisible(Halide::Expr score, const ScorePosition &at, const ElementAt &element,
                                const std::vector<Halide::Expr> &extents)>
      apply;

  /// The new weight of a pair, which must be its weight times a factor: the kernels apply it before they
  /// divide by the sum. Null: it stays.
  std::function<Halide::Expr(Halide::Expr weight, const ScorePosition &at, const ElementAt &element,
                             const std::vector<Halide::Expr> &extents)>
      weigh;

  /// The keys that any query of [firstQuery, lastQuery] can see, as a range that contains them. It may reach
  /// outside [0, keys). `element` reads captures that run along neither keys nor rows, and tables; elements
  /// are int32 here, clamped to ±2^30. Null: all.
  std::function<KeyRange(Halide::Expr firstQuery, Halide::Expr lastQuery, Halide::Expr keys,
                         const ElementAt &element, const std::vector<Halide::Expr> &extents)>
      visibleKeys;

  /// Keys that every query of [firstQuery, lastQuery] surely sees, as a range, which may be empty or reach
  /// outside [0, keys). `visible` is not looked at there. Null: never known.
  std::function<KeyRange(Halide::Expr firstQuery, Halide::Expr lastQuery, Halide::Expr keys,
                         const ElementAt &element, const std::vector<Halide::Expr> &extents)>
      fullKeys;
};

/// Of each operand as stored.
struct AttentionTypes {
  Halide::Type q = Halide::Float(32), k = Halide::Float(32), v = Halide::Float(32), sink = Halide::Float(32),
               output = Halide::Float(32); ///< or of the score matrix

  static AttentionTypes all(const Halide::Type &type) { return {type, type, type, type, type}; }
};

struct AttentionKernel {
  std::string name;
  AttentionTypes types;
  std::optional<int64_t> depth, valueDepth; ///< d and e where they are numbers
  double scale = 1;                         ///< factor of q kᵀ
  ScoreProgram program;
  bool grouped = false;      ///< query heads share heads of keys
  bool memberRows = false;   ///< parts of the keys and their merge, grouped: rows are members
  bool hasValue = true;      ///< `out` is produced
  bool statistics = false;   ///< `largest` and `sum` are produced
  bool logSumExp = false;    ///< `log_sum_exp` is produced
  bool hasSink = false;      ///< a score without a key, one per query head
  bool unnormalized = false; ///< weights are the scores themselves, no softmax; no statistics, no sink
  bool nanForEmpty = false;  ///< rows without a visible key give NaN, not 0
  bool listed = false;       ///< rows in lanes: only the blocks of a key list are visited
  bool pairedValues = false; ///< rows in lanes: v comes as pairs of keys, too
};

/// Value columns of a strip of pairs.
inline constexpr int pairColumns = 16;

/// Of heads of `valueDepth` columns, which are whole strips.
TileFunction buildValuePairs(const std::string &name, int64_t valueDepth);

TileFunction buildAttentionRows(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target);

/// At most `rows` query rows per tile.
TileFunction buildDepthPart(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target);
TileFunction buildDepthMerge(const AttentionKernel &kernel, int rows, const CpuTarget &target);

/// The captures of `kernel.program` are those that `visible` reads; scores are not looked at.
TileFunction buildKeyLists(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target);

/// With `kernel.statistics`, weights: weigh(exp(score − largest) / sum); else scores, −infinity where hidden.
TileFunction buildScoreMatrix(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ATTENTION_H
