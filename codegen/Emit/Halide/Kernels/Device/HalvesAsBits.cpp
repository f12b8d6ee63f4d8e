#include "HalvesAsBits.h"

#include "HalfCasts.h"

#include <stdexcept>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

Type bitsType(const Type &half) { return UInt(16, half.lanes()); }

} // namespace

/// Selections, broadcasts, shuffles and lets take the type of what they move.
Expr HalvesAsBits::mutate(const Expr &expr) {
  Expr result = IRMutator::mutate(expr);
  if (result.defined() && isHalf(result.type()))
    throw std::logic_error("device function: found arithmetic of halves; cast them to f32 first");
  return result;
}

Expr HalvesAsBits::visit(const FloatImm *op) {
  if (!isHalf(op->type))
    return op;
  const uint16_t bits =
      op->type.is_bfloat() ? bfloat16_t(op->value).to_bits() : float16_t(op->value).to_bits();
  return make_const(UInt(16), bits);
}

Expr HalvesAsBits::visit(const Reinterpret *op) {
  const Expr value = mutate(op->value);
  const Type type = isHalf(op->type) ? bitsType(op->type) : op->type;
  return value.type() == type ? value : Reinterpret::make(type, value);
}

Expr HalvesAsBits::visit(const Variable *op) {
  return isHalf(op->type) ? Variable::make(bitsType(op->type), op->name) : Expr(op);
}

Expr HalvesAsBits::visit(const Load *op) {
  const Type type = isHalf(op->type) ? bitsType(op->type) : op->type;
  return Load::make(type, op->name, mutate(op->index), op->image, op->param, mutate(op->predicate),
                    op->alignment);
}

Expr HalvesAsBits::visit(const Call *op) {
  if (!isHalf(op->type))
    return IRMutator::visit(op);
  if (!op->is_intrinsic({Call::if_then_else, Call::likely, Call::likely_if_innermost, Call::promise_clamped}))
    return op; // which mutate refuses
  std::vector<Expr> args;
  for (const Expr &arg : op->args)
    args.push_back(mutate(arg));
  return Call::make(bitsType(op->type), op->name, args, op->call_type);
}

Stmt HalvesAsBits::visit(const Allocate *op) {
  if (!isHalf(op->type))
    return IRMutator::visit(op);
  std::vector<Expr> extents;
  for (const Expr &extent : op->extents)
    extents.push_back(mutate(extent));
  return Allocate::make(op->name, bitsType(op->type), op->memory_type, extents, mutate(op->condition),
                        mutate(op->body), op->new_expr, op->free_function, op->padding);
}

} // namespace heed::kernels
