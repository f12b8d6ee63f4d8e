//===- Table.h - Operands with computed indices -----------------*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_TABLE_H
#define HEED_CODEGEN_KERNELS_TABLE_H

#include <Halide.h>

#include <functional>
#include <vector>

namespace heed::kernels {

/// Integer indices of any value, innermost first, each clamped into its axis in its own width: so nothing
/// outside the table is read. Of a table without elements they are those of the first one.
std::vector<Halide::Expr> tableIndices(const std::vector<Halide::Expr> &indices,
                                       const std::function<Halide::Expr(int axis)> &extent);

/// The element there. Of a table without elements the first one's address is read.
Halide::Expr tableElement(const Halide::ImageParam &table, const std::vector<Halide::Expr> &indices);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_TABLE_H
