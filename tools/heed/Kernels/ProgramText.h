//===- ProgramText.h - What a compiled kernel does, in words ----*- C++ -*-===//
///
/// \file
/// Reads the table of a compiled kernel (heed_program) for `heed explain`.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PROGRAMTEXT_H
#define HEED_TOOLS_PROGRAMTEXT_H

#include "Reference/Symbols.h"
#include "heed/abi.h"

#include <optional>
#include <string>

namespace heed::tools {

/// Steps in order with their alternatives and launches, then where rows may be appended, then the
/// temporaries. Where sizes are given, extents are numbers, the alternative that runs is marked, and
/// temporaries have bytes. `values` belongs to `kernel`'s symbols and may be incomplete.
std::string programText(const heed_program &program, const spec::graph &kernel,
                        const reference::SymbolValues &values);

/// How the launches of an operation cut it into tiles.
struct LaunchShape {
  std::int64_t queryBlock;
  bool listed; ///< key lists are made first
};

/// Of the attention of this name, in the alternative that runs for these sizes and no scalar of 0; nothing
/// when that isn't known.
std::optional<LaunchShape> launchShape(const heed_program &program, const std::string &name,
                                       const spec::graph &kernel, const reference::SymbolValues &values);

/// "512 B", "12.3 KiB", "4.00 MiB"
std::string bytesText(double bytes);

} // namespace heed::tools

#endif // HEED_TOOLS_PROGRAMTEXT_H
