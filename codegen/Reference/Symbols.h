//===- Symbols.h - Extents of a graph, bound to numbers ---------*- C++ -*-===//
///
/// \file
/// Symbolic extents as text and as numbers, and what the shapes of a call's arguments say about the symbols.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_SYMBOLS_H
#define HEED_CODEGEN_REFERENCE_SYMBOLS_H

#include "heed/dsl/graph_data.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::reference {

using Shape = std::vector<std::int64_t>;

/// One value per symbol of a graph; -1 where it isn't known yet.
using SymbolValues = std::vector<std::int64_t>;

/// Whether a node is an argument of the generated function: an input, a weight or a scalar.
bool isArgument(spec::op kind);

/// The nodes that are arguments of the generated function, in call order, without the outputs.
std::vector<int> argumentNodes(const spec::graph &kernel);

/// "queries", "64", "2*keys", "d/8", "d/heads".
std::string extentText(const spec::graph &kernel, int extent);

/// "(batch, heads, queries, 64)", and the same for numbers.
std::string shapeText(const spec::graph &kernel, const spec::node &node);
std::string shapeText(const Shape &shape);

/// Nothing when a symbol isn't known or the division leaves a remainder.
std::optional<std::int64_t> extentValue(const spec::graph &kernel, int extent, const SymbolValues &values);

/// Nothing when an extent has no value.
std::optional<Shape> shapeOf(const spec::graph &kernel, const spec::node &node, const SymbolValues &values);

/// Derives symbols from the shapes of some arguments; the others' are empty. Checks nothing.
void learnSymbols(const spec::graph &kernel, std::span<const Shape> shapes, SymbolValues &values);

/// Derives the symbols from the shapes of the arguments and checks every axis, also the derived ones. Returns
/// all mistakes, a line each; empty when the shapes fit. `values` must have one entry per symbol; known
/// entries stay.
std::string bindSymbols(const spec::graph &kernel, std::span<const Shape> shapes, SymbolValues &values);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_SYMBOLS_H
