#include "ShareMemory.h"

#include <vector>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

/// The later Func under the name of the first, without memory of its own.
class RenameLater : public IRMutator {
public:
  explicit RenameLater(const SharedMemory &names) : names(names) {}
  std::vector<Expr> extents; ///< of the later one, once found; lets between both are put in

private:
  using IRMutator::visit;

  Stmt visit(const LetStmt *op) override {
    lets.push_back(op);
    const Stmt body = mutate(op->body);
    lets.pop_back();
    return body.same_as(op->body) ? Stmt(op) : LetStmt::make(op->name, op->value, body);
  }

  Stmt visit(const Allocate *op) override {
    if (op->name != names.later)
      return IRMutator::visit(op);
    extents = op->extents;
    for (auto let = lets.rbegin(); let != lets.rend(); ++let)
      for (Expr &extent : extents)
        extent = substitute((*let)->name, (*let)->value, extent);
    return mutate(op->body);
  }

  Stmt visit(const Free *op) override {
    return op->name == names.first || op->name == names.later ? Evaluate::make(0) : Stmt(op);
  }

  Expr visit(const Load *op) override {
    if (op->name != names.later)
      return IRMutator::visit(op);
    return Load::make(op->type, names.first, mutate(op->index), op->image, op->param, mutate(op->predicate),
                      op->alignment);
  }

  Stmt visit(const Store *op) override {
    if (op->name != names.later)
      return IRMutator::visit(op);
    return Store::make(names.first, mutate(op->value), mutate(op->index), op->param, mutate(op->predicate),
                       op->alignment);
  }

  const SharedMemory &names;
  std::vector<const LetStmt *> lets;
};

} // namespace

Stmt ShareMemory::visit(const Allocate *op) {
  if (op->name != names.first)
    return IRMutator::visit(op);
  RenameLater rename(names);
  const Stmt body = rename.mutate(op->body);
  if (rename.extents.size() != op->extents.size())
    return op;
  std::vector<Expr> extents;
  for (size_t axis = 0; axis < op->extents.size(); ++axis)
    extents.push_back(simplify(max(op->extents[axis], rename.extents[axis])));
  return Allocate::make(op->name, op->type, op->memory_type, extents, op->condition,
                        Block::make(body, Free::make(op->name)), op->new_expr, op->free_function,
                        op->padding);
}

} // namespace heed::kernels
