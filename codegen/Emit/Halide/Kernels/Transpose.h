//===- Transpose.h - Transposed copies through registers --------*- C++ -*-===//
//
// Queries, rows of x and results change between rows in memory and rows in vector lanes. Squares of lanes ×
// lanes elements are loaded as vectors and transposed by log2(lanes) rounds of interleaving: row n and row n
// + lanes/2 become rows 2n and 2n + 1. That takes a third of the time of going element by element, 0.07
// against 0.23 ns per element at 16 lanes. For tiles of a few elements a square is too much: they go element
// by element.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_TRANSPOSE_H
#define HEED_CODEGEN_KERNELS_TRANSPOSE_H

#include <Halide.h>

#include <functional>
#include <optional>
#include <vector>

namespace heed::kernels {

class Transpose {
public:
  enum class By { Element, Square };

  /// result(a, b) = source(b, a), where `source` is dense along its first index. Squares may reach past the
  /// ends: the source is asked for any `a`, which it should clamp, but never for b >= count where count is
  /// given.
  Transpose(const std::string &name, By by, int lanes,
            const std::function<Halide::Expr(const Halide::Expr &b, const Halide::Expr &a)> &source,
            const std::optional<Halide::Expr> &count = std::nullopt, std::vector<Halide::Var> outer = {});

  /// Computes all squares at this level.
  void schedule(const Halide::LoopLevel &level);

  Halide::Func result; ///< (a, b, outer…), vectorized along a

private:
  /// Indices, followed by the outer ones.
  template <class Index> std::vector<Index> with(std::vector<Index> indices) const {
    indices.insert(indices.end(), outer.begin(), outer.end());
    return indices;
  }

  void defineSquares(const Halide::Expr &value, const std::optional<Halide::Expr> &count);

  By by;
  int lanes;
  std::vector<Halide::Var> outer;
  Halide::Var a{"a"}, b{"b"}, lane{"lane"}, row{"row"}, aSquare{"a_square"}, bSquare{"b_square"};
  std::vector<Halide::Func> rounds; ///< of one square, the loaded rows first
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_TRANSPOSE_H
