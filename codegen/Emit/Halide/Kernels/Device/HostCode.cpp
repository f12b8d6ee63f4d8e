#include "HostCode.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

const Stmt nothing = Evaluate::make(0);

/// What a device function returns where a launch gives an operand other axes than its kernels have.
constexpr int wrongRank = -1;

/// Calls that a function on buffers of the device does without.
bool isDropped(const Expr &value) {
  const Call *call = value.as<Call>();
  if (!call)
    return false;
  static constexpr std::string_view dropped[] = {"halide_copy_to_device", "halide_copy_to_host",
                                                 "_halide_buffer_set_host_dirty",
                                                 "_halide_buffer_set_device_dirty"};
  return call->is_intrinsic(Call::register_destructor) ||
         std::find(std::begin(dropped), std::end(dropped), call->name) != std::end(dropped);
}

/// What does nothing but give a value, which no kernel will name later on.
bool canBeUnused(const LetStmt *op) {
  const Call *call = op->value.as<Call>();
  return !std::string_view(op->name).ends_with(".buffer") &&
         (!call || !std::string_view(call->name).starts_with("halide_"));
}

Expr moved(const Expr &index, const std::string &operand) {
  const Expr offset = Variable::make(Int(32), OperandOffsets::argument(operand).name);
  if (const Ramp *ramp = index.as<Ramp>(); ramp && ramp->base.type().is_scalar())
    return Ramp::make(ramp->base + offset, ramp->stride, ramp->lanes);
  return index.type().is_scalar() ? index + offset : index + Broadcast::make(offset, index.type().lanes());
}

class HeedCalls : public IRMutator {
public:
  using IRMutator::mutate;

private:
  using IRMutator::visit;

  Stmt visit(const Evaluate *op) override { return isDropped(op->value) ? nothing : IRMutator::visit(op); }

  Expr visit(const Call *op) override {
    if (op->call_type != Call::Extern && op->call_type != Call::PureExtern)
      return IRMutator::visit(op);
    const std::string_view name = op->name;
    if (name.starts_with("_halide_buffer_"))
      return IRMutator::visit(op);
    const bool isHalides = name.starts_with("halide_");
    if (isHalides && name.ends_with("_initialize_kernels"))
      return called("heed_device_load", op);
    if (isHalides && name.ends_with("_run"))
      return called("heed_device_run", op);
    if (!isHalides) // of a function of numbers
      return IRMutator::visit(op);
    throw std::logic_error("device function: found a call of " + op->name +
                           " on the host, none but to load and run kernels is needed; compute everything "
                           "inside the kernel");
  }

  Expr called(const char *name, const Call *op) {
    std::vector<Expr> args = {Variable::make(type_of<void *>(), "__user_context")};
    for (const Expr &arg : op->args)
      args.push_back(mutate(arg));
    return Call::make(Int(32), name, args, Call::Extern);
  }
};

/// Of the arguments of heed_device_run.
enum RunArgument { runEntry = 2, runThreads = 6, runShared = 9 };

class BlocksText : public IRVisitor {
public:
  std::ostringstream text;

private:
  using IRVisitor::visit;

  void visit(const Call *op) override {
    if (op->name == "heed_device_run") {
      const StringImm *entry = op->args[runEntry].as<StringImm>();
      text << "// " << (entry ? entry->value : "?") << ": " << simplify(op->args[runThreads]) << " x "
           << simplify(op->args[runThreads + 1]) << " x " << simplify(op->args[runThreads + 2])
           << " threads a block, " << simplify(op->args[runShared]) << " bytes of shared memory\n";
    }
    IRVisitor::visit(op);
  }
};

} // namespace

std::string blocksText(const Module &module) {
  BlocksText blocks;
  for (const LoweredFunc &function : module.functions())
    function.body.accept(&blocks);
  return blocks.text.str();
}

Stmt BareHostCode::visit(const For *op) {
  const bool wasInKernel = std::exchange(inKernel, inKernel || is_gpu(op->for_type));
  const Stmt result = IRMutator::visit(op);
  inKernel = wasInKernel;
  return result;
}

Stmt BareHostCode::visit(const AssertStmt *op) {
  const Call *message = op->message.as<Call>();
  return message && message->name == "halide_error_bad_dimensions"
             ? AssertStmt::make(op->condition, wrongRank)
             : nothing;
}

Stmt BareHostCode::visit(const LetStmt *op) {
  const Stmt body = mutate(op->body);
  if (isDropped(op->value) || (canBeUnused(op) && !stmt_uses_var(body, op->name)))
    return body;
  if (inKernel || op->value.type() != Bool())
    return LetStmt::make(op->name, op->value, body);
  return LetStmt::make(op->name, select(op->value, 1, 0),
                       substitute(op->name, Variable::make(Int(32), op->name) != 0, body));
}

Stmt BareHostCode::visit(const Evaluate *op) { return isDropped(op->value) ? nothing : IRMutator::visit(op); }

Argument OperandOffsets::argument(const std::string &operand) {
  std::string name = operand + "_offset";
  std::replace(name.begin(), name.end(), '.', '_');
  return Argument(name, Argument::InputScalar, Int(32), 0, ArgumentEstimates());
}

Expr OperandOffsets::visit(const Load *op) {
  const Expr index = mutate(op->index), predicate = mutate(op->predicate);
  if (operands.count(op->name) == 0)
    return Load::make(op->type, op->name, index, op->image, op->param, predicate, op->alignment);
  return Load::make(op->type, op->name, moved(index, op->name), op->image, op->param, predicate,
                    ModulusRemainder());
}

Stmt OperandOffsets::visit(const Store *op) {
  const Expr value = mutate(op->value), index = mutate(op->index), predicate = mutate(op->predicate);
  if (operands.count(op->name) == 0)
    return Store::make(op->name, value, index, op->param, predicate, op->alignment);
  return Store::make(op->name, value, moved(index, op->name), op->param, predicate, ModulusRemainder());
}

void callHeedRuntime(LoweredFunc &function) { function.body = HeedCalls().mutate(function.body); }

} // namespace heed::kernels
