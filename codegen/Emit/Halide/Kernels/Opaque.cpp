#include "Opaque.h"

#include <algorithm>
#include <set>

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

/// At the head of a function neither the extents nor the memory of operands have names yet: both are read
/// from the buffer.
class ReadOperands : public IRMutator {
public:
  std::set<std::string> loaded; ///< operands of which elements are read

  /// Another name than the one that the memory has in the body.
  static std::string memoryOf(const std::string &operand) { return operand + ".at_head"; }

  static Expr bufferOf(const std::string &operand) {
    return Variable::make(type_of<halide_buffer_t *>(), operand + ".buffer");
  }

private:
  using IRMutator::visit;

  Expr visit(const Variable *op) override {
    const size_t at = op->name.find(".extent.");
    if (at == std::string::npos)
      return op;
    const int axis = std::stoi(op->name.substr(at + std::string(".extent.").size()));
    return Call::make(Int(32), Call::buffer_get_extent, {bufferOf(op->name.substr(0, at)), axis},
                      Call::Extern);
  }

  Expr visit(const Call *op) override {
    if (op->call_type == Call::Halide) { // the Func that stands for an operand
      const Function wrapper(op->func);
      std::map<std::string, Expr> indices;
      for (size_t axis = 0; axis < op->args.size(); ++axis)
        indices[wrapper.args()[axis]] = op->args[axis];
      return mutate(substitute(indices, wrapper.values()[0]));
    }
    if (op->call_type != Call::Image)
      return IRMutator::visit(op);
    loaded.insert(op->name);
    Expr index = make_zero(Int(64));
    for (size_t axis = 0; axis < op->args.size(); ++axis) {
      const Expr stride =
          Call::make(Int(32), Call::buffer_get_stride, {bufferOf(op->name), int(axis)}, Call::Extern);
      index += cast<int64_t>(mutate(op->args[axis])) * cast<int64_t>(stride);
    }
    return Load::make(op->type, memoryOf(op->name), simplify(index), Buffer<>(), op->param, const_true(),
                      ModulusRemainder());
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
    ReadOperands read;
    function.body = LetStmt::make(name, read.mutate(simplify(scalar->value)), function.body);
    for (const std::string &operand : read.loaded) {
      const Expr memory = Call::make(type_of<void *>(), Call::buffer_get_host,
                                     {ReadOperands::bufferOf(operand)}, Call::Extern);
      function.body = LetStmt::make(ReadOperands::memoryOf(operand), memory, function.body);
    }
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
