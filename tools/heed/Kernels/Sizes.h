//===- Sizes.h - Run-time sizes of a kernel ---------------------*- C++ -*-===//
///
/// \file
/// Values for the symbolic extents of a kernel: from --size options and drawn at random.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_SIZES_H
#define HEED_TOOLS_SIZES_H

#include "Reference/Symbols.h"

#include <random>
#include <string>
#include <vector>

namespace heed::tools {

using reference::Shape;
using reference::SymbolValues;

/// Parses "name=value" options into one value per symbol, -1 for those not given. Throws ToolError with all
/// mistakes at once: unknown names (with the nearest one), doubled names, values that aren't whole numbers >=
/// 0. Names that only one of the `others` has are left to it.
SymbolValues parseSizes(const spec::graph &kernel, const std::vector<std::string> &options,
                        const std::vector<const spec::graph *> &others = {});

/// Throws ToolError listing the symbols without a value, or the extents that don't come out whole.
void requireComplete(const spec::graph &kernel, const SymbolValues &values);

/// Fills the open symbols with awkward values: 0, 1, primes, powers of two and their neighbours. Every extent
/// comes out whole, and the evaluator's work stays below about `operations`. Throws ToolError when no draw
/// succeeds.
SymbolValues drawSizes(const spec::graph &kernel, const SymbolValues &given, double operations,
                       std::mt19937_64 &random);

/// "batch=2 queries=17", in the order of the symbols.
std::string sizesText(const spec::graph &kernel, const SymbolValues &values);

} // namespace heed::tools

#endif // HEED_TOOLS_SIZES_H
