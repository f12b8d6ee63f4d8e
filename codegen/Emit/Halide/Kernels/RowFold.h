//===- RowFold.h - A row folded to one value --------------------*- C++ -*-===//
//
// Sums, largest elements and where they are, along the innermost axis. Whole blocks of a row go to one
// partial result per lane of several vectors, what remains to the first of them; then the partial results are
// halved until one is left. The order depends on the row's length alone, so that results are the same bits
// wherever the row lies.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_ROWFOLD_H
#define HEED_CODEGEN_KERNELS_ROWFOLD_H

#include <Halide.h>

#include <functional>
#include <string>
#include <vector>

namespace heed::kernels {

/// One value, or several that are folded together.
using Values = std::vector<Halide::Expr>;

/// What is folded: a term for every index of a row, from an identity on.
struct Fold {
  std::string name;
  Values identity;
  std::function<Values(const Halide::Expr &index)> term;
  std::function<Values(const Values &a, const Values &b)> combine;
};

/// Σ term, value by value.
Fold sumOf(std::string name, const std::vector<Halide::Type> &types,
           std::function<Values(const Halide::Expr &index)> term);

class RowFold {
public:
  /// Rows `row` of `count` elements, of which a vector holds `lanes`.
  RowFold(const Fold &fold, const Halide::Var &row, const Halide::Expr &count, int lanes);

  /// The values of a row.
  Values operator()(const Halide::Expr &row) const;

  void schedule(const Halide::LoopLevel &level);

private:
  int lanes;
  Halide::Var lane{"lane"};
  Halide::RVar block;
  Halide::Func partial;
  std::vector<Halide::Func> halves; ///< the last has one lane
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_ROWFOLD_H
