#include "Scratch.h"

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

bool fitsOnStack(const Allocate *op) {
  if (op->memory_type == MemoryType::Register || op->memory_type == MemoryType::Stack)
    return true;
  const int64_t elements = op->constant_allocation_size();
  return (elements > 0 || op->extents.empty()) && elements * op->type.bytes() <= stackBytes;
}

Expr bytesOf(const Allocate *op) {
  Expr bytes = cast<uint64_t>(op->type.bytes() * op->type.lanes());
  for (const Expr &extent : op->extents)
    bytes = bytes * cast<uint64_t>(max(extent, 0));
  return simplify(bytes + cast<uint64_t>(op->padding * op->type.bytes()));
}

} // namespace

Stmt UseScratch::visit(const Allocate *op) {
  if (fitsOnStack(op))
    return IRMutator::visit(op);
  ScopedBinding<> bind(heap, op->name);
  const Expr context = Variable::make(type_of<void *>(), "__user_context");
  const Expr handle = Variable::make(type_of<void *>(), op->name);
  const Stmt body = Block::make(
      mutate(op->body),
      Evaluate::make(Call::make(Int(32), "heed_scratch_release", {context, handle}, Call::Extern)));
  const Expr memory =
      Call::make(type_of<void *>(), "heed_scratch_allocate", {context, bytesOf(op)}, Call::Extern);
  return LetStmt::make(op->name, memory,
                       IfThenElse::make(reinterpret<uint64_t>(handle) != cast<uint64_t>(0), body));
}

Stmt UseScratch::visit(const Free *op) {
  return heap.contains(op->name) ? Evaluate::make(0) : IRMutator::visit(op);
}

} // namespace heed::kernels
