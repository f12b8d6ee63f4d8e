//===- Epilogue.h - What becomes of a finished sum --------------*- C++ -*-===//
//
// Element-by-element work on the result of a linear layer, done while its tile is stored: activations,
// residuals, gates, dropout. Its operands follow those of the layer; each has two axes, columns and rows,
// except for tables, which have their own.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_EPILOGUE_H
#define HEED_CODEGEN_KERNELS_EPILOGUE_H

#include "General.h"

namespace heed::kernels {

/// A tensor that an epilogue reads.
struct EpilogueOperand {
  Halide::Type type = Halide::Float(32);
  bool alongColumns = true; ///< false: the same for every column
  bool alongRows = true;
  bool isDense = true; ///< neighbouring columns are neighbours in memory
  int tableRank = -1;  ///< axes of a table, which `apply` indexes itself; -1: read at the index
};

struct Epilogue {
  std::vector<EpilogueOperand> operands;
  int scalars = 0; ///< int32 arguments in front of all operands
  /// The element from the sum, of the accumulator's type; `within` is the index inside the tile: column, row.
  /// Null: the sum itself.
  std::function<Halide::Expr(const Halide::Expr &sum, const OperandAt &element,
                             const std::vector<Halide::Expr> &within,
                             const std::vector<Halide::Expr> &scalars)>
      apply;
};

/// The parameters of a tile function that its epilogue reads.
class EpilogueArguments {
public:
  explicit EpilogueArguments(const Epilogue &epilogue);

  Halide::Expr apply(const Halide::Expr &sum, const Halide::Expr &column, const Halide::Expr &row) const;

  /// The scalars, the arguments in between, the operands.
  std::vector<Halide::Argument> around(const std::vector<Halide::Argument> &inner) const;

private:
  const Epilogue &epilogue;
  std::vector<Halide::Param<int32_t>> scalars;
  std::vector<Halide::ImageParam> operands;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_EPILOGUE_H
