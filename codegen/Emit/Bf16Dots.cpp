//===- Bf16Dots.cpp - Dot products of bf16 --------------------------------===//

#include "Bf16Dots.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heed {

static bool areBf16(std::initializer_list<Value> values) {
  return llvm::all_of(
      values, [](Value value) { return value && isa<BFloat16Type>(ir::tensorType(value).getElementType()); });
}

bool hasDotsOfBf16(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ir::AttentionOp>(
          [](auto of) { return areBf16({of.getQuery(), of.getKey()}) || areBf16({of.getValue()}); })
      .Case<ir::ScoresOp>([](auto of) { return areBf16({of.getQuery(), of.getKey()}); })
      .Case<ir::LinearOp>([](auto of) { return areBf16({of.getInput(), of.getWeight()}); })
      .Default(false);
}

bool hasDotsOfBf16(ir::KernelOp kernel) {
  return kernel
      .walk([](Operation *op) { return hasDotsOfBf16(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

} // namespace heed
