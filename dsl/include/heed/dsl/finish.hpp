#pragma once
/// \file
/// What can be checked only when a block has ended.

#include <heed/dsl/builder.hpp>

namespace heed::detail {

/// Takes from an axis the one symbol that it tells, once all its other symbols are known; false if there is
/// none.
constexpr bool learn(const spec::extent &axis, table<bool> &known) {
  int unknown = -1;
  for (int i = 0; i < axis.factor_count; ++i)
    if (!known[axis.factors[i].symbol]) {
      if (unknown >= 0 || axis.factors[i].power != 1)
        return false;
      unknown = axis.factors[i].symbol;
    }
  if (unknown < 0)
    return false;
  known[unknown] = true;
  return true;
}

/// Which symbols the shapes of inputs and weights determine.
constexpr void learn_all(const builder &from, table<bool> &known) {
  for (bool more = true; more;) {
    more = false;
    for (const argument &argument : from.arguments)
      for (int i = 0; !argument.is_output && i < from.nodes[argument.node].rank; ++i)
        more |= learn(from.extents[from.nodes[argument.node].shape[i]], known);
  }
}

/// The first state that no append changes, -1 if there is none.
constexpr std::int16_t unchanged_state(const builder &of) {
  std::size_t found = 0;
  for (std::size_t i = 0; of.state_count > 0 && i < of.nodes.size(); ++i) {
    bool is_changed = of.nodes[i].kind != spec::op::state;
    for (found = 0; !is_changed && found < of.appended.size(); ++found)
      is_changed = of.appended[found] == static_cast<std::int16_t>(i);
    if (!is_changed)
      return static_cast<std::int16_t>(i);
  }
  return -1;
}

/// Errors: no output; a state that nothing changes; a symbol that no input or weight determines.
constexpr void finish(builder &of) {
  if (of.nodes.size() == 0 || of.outputs.size() == 0) {
    const location last = of.file() != nullptr ? of.last() : location();
    of.fail(last,
            "graph: it has no output, at least one is needed; end the block with g.output(name, tensor)");
  }
  if (const std::int16_t state = unchanged_state(of); state >= 0)
    of.fail(
        of.last(), "state: nothing changes ", of.argument_name(state),
        ", an append is needed; write append(state, rows, position, axis), or g.input for what only is read");
  table<bool> known;
  for (std::size_t i = 0; i < of.symbols.size(); ++i)
    known.push_back(false);
  learn_all(of, known);
  for (std::size_t i = 0; i < of.symbols.size(); ++i)
    if (!known[i])
      of.fail(of.last(), "extent: no input or weight has ", of.symbols[i],
              " as the extent of an axis, one is needed to know it in a call");
}

} // namespace heed::detail
