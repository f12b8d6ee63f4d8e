#pragma once
/// \file
/// What can be checked only when a block has ended.

#include <heed/dsl/builder.hpp>

namespace heed::detail {

/// Whether a caller's array with this extent tells the symbol.
constexpr bool determines(const spec::extent &extent, std::int16_t symbol) {
  return extent.factor_count == 1 && extent.factors[0].symbol == symbol && extent.factors[0].power == 1;
}

constexpr bool is_determined(const builder &from, std::int16_t symbol) {
  for (const argument &argument : from.arguments) {
    if (argument.is_output)
      continue;
    const spec::node &node = from.nodes[argument.node];
    for (int i = 0; i < node.rank; ++i)
      if (determines(from.extents[node.shape[i]], symbol))
        return true;
  }
  return false;
}

/// Errors: no output; a symbol that no input or weight determines.
constexpr void finish(builder &of) {
  if (of.nodes.empty() || of.outputs.empty()) {
    const location last = of.file() != nullptr ? of.last() : location();
    of.fail(last,
            "graph: it has no output, at least one is needed; end the block with g.output(name, tensor)");
  }
  for (std::size_t i = 0; i < of.symbols.size() && !of.failed(); ++i)
    if (!is_determined(of, static_cast<std::int16_t>(i)))
      of.fail(of.last(), "extent: no input or weight has ", of.symbols[i],
              " as the extent of an axis, at least one is needed to know it in a call");
}

} // namespace heed::detail
