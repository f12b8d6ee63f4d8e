#include "Opaque.h"

#include <algorithm>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

/// Distinct variables of an expression, in the order in which they appear.
class FindVariables : public IRVisitor {
public:
  std::vector<Expr> found;
  std::vector<std::string> names;

private:
  using IRVisitor::visit;
  void visit(const Variable *op) override {
    if (std::find(names.begin(), names.end(), op->name) != names.end())
      return;
    names.push_back(op->name);
    found.push_back(op);
  }
};

/// At the head of a function the extents of buffers have no names yet: `x.extent.1` is read from the buffer
/// x.
class ReadExtents : public IRMutator {
  using IRMutator::visit;
  Expr visit(const Variable *op) override {
    const size_t at = op->name.find(".extent.");
    if (at == std::string::npos)
      return op;
    const Expr buffer = Variable::make(type_of<halide_buffer_t *>(), op->name.substr(0, at) + ".buffer");
    const int axis = std::stoi(op->name.substr(at + std::string(".extent.").size()));
    return Call::make(Int(32), Call::buffer_get_extent, {buffer, axis}, Call::Extern);
  }
};

} // namespace

Expr OpaqueScalars::derive(const std::string &name, const Expr &value) {
  derived.push_back({Param<int32_t>(name), value});
  return derived.back().parameter;
}

Expr OpaqueScalars::hide(const Expr &value) {
  FindVariables variables;
  value.accept(&variables);
  const std::string name = "heed_opaque_" + std::to_string(hidden.size());
  hidden[name] = {variables.names, value};
  return Call::make(Int(32), name, variables.found, Call::PureExtern);
}

std::vector<Argument> OpaqueScalars::arguments() const {
  std::vector<Argument> list;
  for (const Derived &scalar : derived)
    list.push_back(scalar.parameter);
  return list;
}

void OpaqueScalars::define(LoweredFunc &function) const {
  // Later ones use earlier ones.
  for (auto scalar = derived.rbegin(); scalar != derived.rend(); ++scalar) {
    const std::string &name = scalar->parameter.name();
    function.args.erase(
        std::remove_if(function.args.begin(), function.args.end(),
                       [&](const LoweredArgument &argument) { return argument.name == name; }),
        function.args.end());
    function.body = LetStmt::make(name, simplify(ReadExtents().mutate(scalar->value)), function.body);
  }
}

Expr OpaqueScalars::reveal(const Call *call) const {
  const auto found = hidden.find(call->name);
  if (found == hidden.end())
    return Expr();
  std::map<std::string, Expr> values;
  for (size_t n = 0; n < call->args.size(); ++n)
    values[found->second.variables[n]] = call->args[n];
  return substitute(values, found->second.value);
}

Expr RevealScalars::visit(const Call *op) {
  const Expr formula = scalars.reveal(op);
  return formula.defined() ? mutate(formula) : IRMutator::visit(op);
}

} // namespace heed::kernels
