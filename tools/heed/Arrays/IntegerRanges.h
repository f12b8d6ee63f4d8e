//===- IntegerRanges.h - Integers that mean something -----------*- C++ -*-===//
///
/// \file
/// What an integer argument stands for, read off the programs that use it: a length or position is compared
/// with the position along an axis, an index goes into a table, an identifier is compared with others like
/// it. Drawn inputs then hide some keys and not all.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_INTEGERRANGES_H
#define HEED_TOOLS_INTEGERRANGES_H

#include "Reference/Symbols.h"

#include <optional>

namespace heed::tools {

/// The largest value that an integer argument plausibly has: the extent of the axis that it is compared with,
/// or of the table that it indexes; 2 for identifiers; else its own largest extent. 1 at least.
std::int64_t largestInteger(const spec::graph &kernel, int node, const reference::SymbolValues &values);

/// The largest value of a scalar at which all rows that are appended there fit, negative when they never do;
/// nothing when no append takes it.
std::optional<std::int64_t> largestPosition(const spec::graph &kernel, int node,
                                            const reference::SymbolValues &values);

/// Whether the rows of every append fit into its state at some position.
bool rowsFit(const spec::graph &kernel, const reference::SymbolValues &values);

} // namespace heed::tools

#endif // HEED_TOOLS_INTEGERRANGES_H
