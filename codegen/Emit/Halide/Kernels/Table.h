//===- Table.h - Operands with computed indices -----------------*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_TABLE_H
#define HEED_CODEGEN_KERNELS_TABLE_H

#include <Halide.h>

#include <vector>

namespace heed::kernels {

/// The element of a table at integer indices of any value, innermost first: each is clamped into its axis in
/// its own width, so nothing outside the table is read. Of a table without elements the first one's address
/// is read.
Halide::Expr tableElement(const Halide::ImageParam &table, const std::vector<Halide::Expr> &indices);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_TABLE_H
