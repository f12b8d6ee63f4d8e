//===- HostCode.h - The host's part of a device function --------*- C++ -*-===//
//
// Halide's host code manages memory and copies: here buffers are on the device already, and where an operand
// begins in its buffer is a number. So two passes run before Halide takes the kernels out of the host's code,
// and a third step after that makes its calls those of heed's runtime.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_HOSTCODE_H
#define HEED_CODEGEN_KERNELS_DEVICE_HOSTCODE_H

#include <Halide.h>

#include <set>
#include <string>
#include <vector>

namespace heed::kernels {

/// Drops the checks of arguments but the one of their ranks, copies between host and device, and what is
/// known without use. Conditions that are known before a kernel become numbers: some interfaces pass no bool
/// to it.
class BareHostCode : public Halide::Internal::IRMutator {
public:
  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Internal::Stmt visit(const Halide::Internal::For *op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::AssertStmt *op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt *op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Evaluate *op) override;

  bool inKernel = false;
};

/// Adds an int32 argument, how many elements an operand begins after the start of its buffer, to every index
/// of it.
class OperandOffsets : public Halide::Internal::IRMutator {
public:
  explicit OperandOffsets(const std::vector<std::string> &operands)
      : operands(operands.begin(), operands.end()) {}

  /// That of an operand.
  static Halide::Argument argument(const std::string &operand);

  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Expr visit(const Halide::Internal::Load *op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Store *op) override;

  std::set<std::string> operands;
};

/// Calls heed_device_load and heed_device_run in place of Halide's runtime. Throws where the function calls
/// anything else, for example because something would be allocated on the device.
void callHeedRuntime(Halide::Internal::LoweredFunc &function);

/// One line per kernel of a module that calls heed's runtime, as a comment of source and PTX:
/// `// KERNEL: 8 x 16 x 1 threads a block, 27648 bytes of shared memory`.
std::string blocksText(const Halide::Module &module);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_HOSTCODE_H
