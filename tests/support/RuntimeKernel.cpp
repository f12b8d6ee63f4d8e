#include "RuntimeKernel.h"

namespace heed::tests {

template <typename T> static std::vector<T> copied(const detail::table<T> &table) {
  return std::vector<T>(table.begin(), table.end());
}

RuntimeKernel::RuntimeKernel(std::string called, const std::function<void(heed::graph &)> &block)
    : name(std::move(called)) {
  heed::graph g;
  block(g);
  detail::builder &built = g.build();
  detail::finish(built);
  if (built.failed()) {
    fault.assign(built.fault().data(), built.fault().size());
    return;
  }
  symbols = copied(built.symbols);
  extents = copied(built.extents);
  nodes = copied(built.nodes);
  instructions = copied(built.instructions);
  outputs = copied(built.outputs);
  characters = copied(built.characters);
  for (const detail::argument &argument : built.arguments) {
    const char *text = characters.data() + argument.characters;
    (argument.is_output ? outputs[argument.node].name : nodes[argument.node].name) = text;
  }
  made.name = name.c_str();
  made.file = __FILE__;
  made.symbol_count = int32_t(symbols.size());
  made.extent_count = int32_t(extents.size());
  made.node_count = int32_t(nodes.size());
  made.instruction_count = int32_t(instructions.size());
  made.output_count = int32_t(outputs.size());
  made.symbols = symbols.data();
  made.extents = extents.data();
  made.nodes = nodes.data();
  made.instructions = instructions.data();
  made.outputs = outputs.data();
}

} // namespace heed::tests
