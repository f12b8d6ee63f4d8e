#pragma once
/// \file
/// A kernel: runs its block while the spec is compiled and keeps the graph as constant data of exact size.
///
/// The block runs twice: once to count and to find the first fault, once to fill tables of that size. So
/// nothing of the builder remains, and the graph lies in read-only memory.

#include <heed/dsl/fault.hpp>
#include <heed/dsl/finish.hpp>
#include <heed/dsl/graph.hpp>

#include <array>
#include <type_traits>

namespace heed {
namespace detail {

struct summary {
  std::size_t symbols = 0, extents = 0, nodes = 0, instructions = 0, outputs = 0, arguments = 0,
              characters = 0;
  text fault;
};

template <class block> consteval summary measure() {
  graph g;
  block{}(g);
  builder &b = g.build();
  finish(b);
  summary result;
  result.fault = b.fault();
  if (!b.failed())
    result = {b.symbols.size(), b.extents.size(),   b.nodes.size(),      b.instructions.size(),
              b.outputs.size(), b.arguments.size(), b.characters.size(), {}};
  return result;
}

template <class type, std::size_t size>
constexpr void copy(const table<type> &from, std::array<type, size> &to) {
  for (std::size_t i = 0; i < size; ++i)
    to[i] = from[i];
}

/// The tables of one block, shared by the kernels that have it. Hidden, so that two spec modules in one
/// process never share them.
template <class block> struct [[gnu::visibility("hidden")]] tables {
  static constexpr summary size = measure<block>();

  struct content {
    std::array<const char *, size.symbols> symbols = {};
    std::array<spec::extent, size.extents> extents = {};
    std::array<spec::node, size.nodes> nodes = {};
    std::array<spec::instruction, size.instructions> instructions = {};
    std::array<spec::output, size.outputs> outputs = {};
    std::array<argument, size.arguments> arguments = {};
    std::array<char, size.characters> characters = {};
  };

  static consteval content fill() {
    content result;
    if (size.nodes == 0)
      return result;
    graph g;
    block{}(g);
    builder &b = g.build();
    copy(b.symbols, result.symbols);
    copy(b.extents, result.extents);
    copy(b.nodes, result.nodes);
    copy(b.instructions, result.instructions);
    copy(b.outputs, result.outputs);
    copy(b.arguments, result.arguments);
    copy(b.characters, result.characters);
    return result;
  }

  static constexpr content filled = fill();
  static constexpr auto symbols = filled.symbols;
  static constexpr auto extents = filled.extents;
  static constexpr auto instructions = filled.instructions;
  static constexpr auto characters = filled.characters;

  // Names point into `characters`, which exists only now.
  static consteval auto named_nodes() {
    auto result = filled.nodes;
    for (const argument &argument : filled.arguments)
      if (!argument.is_output)
        result[argument.node].name = characters.data() + argument.characters;
    return result;
  }
  static consteval auto named_outputs() {
    auto result = filled.outputs;
    for (const argument &argument : filled.arguments)
      if (argument.is_output)
        result[argument.node].name = characters.data() + argument.characters;
    return result;
  }
  static constexpr auto nodes = named_nodes();
  static constexpr auto outputs = named_outputs();
};

template <class block> constexpr spec::graph graph_of(const char *name, location where) {
  using data = tables<block>;
  spec::graph result;
  result.name = name;
  result.file = where.file;
  result.line = where.line;
  result.symbol_count = static_cast<std::int32_t>(data::size.symbols);
  result.extent_count = static_cast<std::int32_t>(data::size.extents);
  result.node_count = static_cast<std::int32_t>(data::size.nodes);
  result.instruction_count = static_cast<std::int32_t>(data::size.instructions);
  result.output_count = static_cast<std::int32_t>(data::size.outputs);
  result.symbols = data::symbols.data();
  result.extents = data::extents.data();
  result.nodes = data::nodes.data();
  result.instructions = data::instructions.data();
  result.outputs = data::outputs.data();
  return result;
}

template <class block>
concept graph_block =
    std::is_empty_v<block> && std::is_default_constructible_v<block> && std::is_invocable_v<block, graph &>;

/// The fault of a block; what is no block has none, it is refused in words of its own.
template <class block> struct fault_of {
  static constexpr fixed_string<0> sentence{};
};
template <graph_block block> struct fault_of<block> {
  static constexpr const text &whole = tables<block>::size.fault;
  static constexpr fixed_string<whole.size()> sentence{whole};
};

template <class block> constexpr spec::graph graph_if_block(const char *name, location where) {
  if constexpr (graph_block<block>)
    return graph_of<block>(name, where);
  return {};
}

} // namespace detail

/// `constexpr kernel block{"block", [](graph &g) { … }};` The name is the generated function's. The block may
/// call constexpr functions and loop; it captures nothing. Kernels that differ in a number come from a
/// function:
///
///     template <int depth> constexpr auto attention_kernel(const char *name) {
///       return kernel{name, [](graph &g) { … depth … }};
///     }
///
/// Errors: the first fault of the block, at the line where it was written; checked by HEED_EXPORT: the name
/// is no C identifier.
template <class block> class kernel : public spec::graph {
  static_assert(
      detail::graph_block<block>,
      "kernel: the block must be a lambda that takes (graph &g) and captures nothing; what varies between "
      "kernels can be template arguments of a function that returns the kernel");
  // clang keeps a class whose assertion failed one level down usable, so that one mistake is one error.
  static_assert(sizeof(the_graph_is_wrong<detail::fault_of<block>::sentence>) > 0);

public:
  constexpr kernel(const char *called, block, location where = {})
      : spec::graph(detail::graph_if_block<block>(called, where)) {}
};

} // namespace heed
