#include "FuseFolds.h"

#include <algorithm>
#include <optional>
#include <vector>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

/// A fold taken out of the code: what comes before its loop, and the loop with the lets around it.
struct Fold {
  Stmt memory; ///< its Allocate, without a body
  Stmt before;
  const For *loop = nullptr;
  std::vector<const LetStmt *> lets; ///< outermost first
  std::vector<std::string> freed;    ///< Funcs whose memory was given back after the loop
};

/// Index of the first load from, or store to, a buffer.
class FindIndex : public IRVisitor {
public:
  FindIndex(const std::string &buffer, bool ofStore) : buffer(buffer), ofStore(ofStore) {}
  Expr index;

private:
  using IRVisitor::visit;
  void visit(const Load *op) override {
    if (!ofStore && !index.defined() && op->name == buffer)
      index = op->index;
    IRVisitor::visit(op);
  }
  void visit(const Store *op) override {
    if (ofStore && !index.defined() && op->name == buffer)
      index = op->index;
    IRVisitor::visit(op);
  }

  const std::string &buffer;
  const bool ofStore;
};

Expr firstElement(const Stmt &code, const std::string &buffer, bool ofStore) {
  FindIndex find(buffer, ofStore);
  code.accept(&find);
  const Ramp *ramp = find.index.defined() ? find.index.as<Ramp>() : nullptr;
  return ramp ? ramp->base : find.index;
}

/// Takes the fold's allocation and production out of a statement.
class TakeFold : public IRMutator {
public:
  explicit TakeFold(const std::string &fold) : fold(fold) {}
  std::optional<Fold> found;

private:
  using IRMutator::visit;

  Stmt visit(const LetStmt *op) override {
    lets.push_back(op);
    const Stmt body = mutate(op->body);
    lets.pop_back();
    return body.same_as(op->body) ? Stmt(op) : LetStmt::make(op->name, op->value, body);
  }

  Stmt visit(const Allocate *op) override {
    if (op->name != fold)
      return IRMutator::visit(op);
    const Block *block = op->body.as<Block>();
    const ProducerConsumer *production = block ? block->first.as<ProducerConsumer>() : nullptr;
    if (!production || !production->is_producer || !split(production->body))
      return op;
    taken.memory = op;
    found = taken;
    Stmt rest = mutate(block->rest);
    for (const std::string &name : taken.freed)
      rest = Block::make(Free::make(name), rest);
    return rest;
  }

  Stmt visit(const Free *op) override { return found && op->name == fold ? Evaluate::make(0) : Stmt(op); }

  /// The production's last statement is the loop, those before it are `before`. Other Funcs may end there
  /// too.
  bool split(const Stmt &production) {
    std::vector<Stmt> statements;
    Stmt rest = production;
    while (const Block *block = rest.as<Block>()) {
      statements.push_back(block->first);
      rest = block->rest;
    }
    statements.push_back(rest);
    while (const Free *free = statements.back().as<Free>()) {
      taken.freed.push_back(free->name);
      statements.pop_back();
      if (statements.empty())
        return false;
    }
    taken.lets = lets;
    taken.loop = loopIn(statements.back());
    statements.pop_back();
    if (statements.empty())
      return false;
    taken.before = Block::make(statements);
    return taken.loop && taken.loop->for_type == ForType::Serial;
  }

  const For *loopIn(Stmt code) {
    while (!code.as<For>()) {
      const ProducerConsumer *consumer = code.as<ProducerConsumer>();
      const LetStmt *let = code.as<LetStmt>();
      if (!consumer && !let)
        return nullptr;
      if (let)
        taken.lets.push_back(let);
      code = consumer ? consumer->body : let->body;
    }
    return code.as<For>();
  }

  const std::string &fold;
  std::vector<const LetStmt *> lets;
  Fold taken;
};

/// Appends the fold's steps to the body of the operand's loop.
class AppendFold : public IRMutator {
public:
  AppendFold(const FusedFold &names, const Fold &fold) : names(names), fold(fold) {}
  bool appended = false;

private:
  using IRMutator::visit;

  Stmt visit(const For *op) override {
    if (op->name != names.operandLoop)
      return IRMutator::visit(op);
    const Expr first = Variable::make(Int(32), op->name) * names.steps;
    const Expr stored = firstElement(op->body, names.operand, true),
               loaded = firstElement(fold.loop->body, names.operand, false);
    if (!stored.defined() || !loaded.defined() ||
        !can_prove(stored == substitute(fold.loop->name, first, loaded)))
      return op;
    appended = true;
    Stmt steps = stepsFrom(first);
    for (auto let = fold.lets.rbegin(); let != fold.lets.rend(); ++let)
      steps = LetStmt::make((*let)->name, (*let)->value, steps);
    return For::make(op->name, op->min, op->extent, op->for_type, op->partition_policy, op->device_api,
                     Block::make(op->body, steps));
  }

  /// Those of the steps from `first` on that the fold's loop has.
  Stmt stepsFrom(const Expr &first) const {
    const Expr end = fold.loop->min + fold.loop->extent;
    Stmt all;
    for (int n = names.steps - 1; n >= 0; --n) {
      const Stmt step = substitute(fold.loop->name, simplify(first + n), fold.loop->body);
      all = all.defined() ? Block::make(step, all) : step;
    }
    const Expr hasAll = simplify(first >= fold.loop->min && first + names.steps <= end);
    if (is_const_one(hasAll))
      return all;
    Stmt some;
    if (names.steps > 1) {
      const Expr from = max(first, fold.loop->min);
      some = For::make(fold.loop->name, from, max(min(first + names.steps, end) - from, 0), ForType::Serial,
                       Partition::Never, fold.loop->device_api, fold.loop->body);
    }
    return IfThenElse::make(hasAll, all, some);
  }

  const FusedFold &names;
  const Fold &fold;
};

} // namespace

Stmt FuseFold::visit(const Allocate *op) {
  if (op->name != names.operand)
    return IRMutator::visit(op);
  TakeFold take(names.fold);
  const Stmt rest = take.mutate(op->body);
  if (!take.found)
    return op;
  AppendFold append(names, *take.found);
  const Stmt body = append.mutate(rest);
  if (!append.appended)
    return op;
  const Stmt operand = Allocate::make(op->name, op->type, op->memory_type, op->extents, op->condition, body,
                                      op->new_expr, op->free_function, op->padding);
  const Allocate *memory = take.found->memory.as<Allocate>();
  return Allocate::make(memory->name, memory->type, memory->memory_type, memory->extents, memory->condition,
                        Block::make({take.found->before, operand, Free::make(memory->name)}));
}

} // namespace heed::kernels
