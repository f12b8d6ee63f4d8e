//===- SpreadPrefetch.h - The next rows come while these are used -*- C++ -*-===//
//
// Where a block of rows of an operand is passed over several times, only the first pass reads memory, which
// then rests during the others. This pass runs after Halide's own and lets every pass fetch its part of the
// rows some way ahead, line by line, so that memory is read all the time.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_SPREADPREFETCH_H
#define HEED_CODEGEN_KERNELS_SPREADPREFETCH_H

#include <Halide.h>

#include <optional>
#include <string>

namespace heed::kernels {

/// Where the rows of `operand` are read: in the innermost loop over them, within a loop over passes.
struct RowPasses {
  std::string operand;
  std::string passLoop, rowLoop; ///< ends of the names of the loops
  int passes = 1;
  int linesPerRow = 1;
  int rowsAhead = 1;
};

class SpreadPrefetch : public Halide::Internal::IRMutator {
public:
  explicit SpreadPrefetch(RowPasses rows) : rows(std::move(rows)) {}
  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Internal::Stmt visit(const Halide::Internal::For *op) override;

  const RowPasses rows;
  Halide::Expr pass; ///< the variable of the loop over passes around the statement
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_SPREADPREFETCH_H
