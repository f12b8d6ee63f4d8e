//===- Emitter.h - One overload per fused operation -------------*- C++ -*-===//
///
/// \file
/// What the Emit<Op>.cpp files share. Each overload appends one step to the program: its alternatives, their
/// launches, and the tile functions these call.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_EMITTER_H
#define HEED_CODEGEN_EMIT_HALIDE_EMITTER_H

#include "Emit/ProgramBuilder.h"
#include "Emit/TileFunctions.h"
#include "HalideTarget.h"
#include "Kernels/Rows.h"
#include "Region.h"
#include "Schedule/ScheduleChoice.h"

#include <sstream>

namespace heed {

/// The builders of an operation along the last axis.
template <typename Kernel> struct RowFunctions;

class Emitter {
public:
  Emitter(ProgramBuilder &builder, const ScheduleChoices &schedules, TileFunctions &functions,
          const HalideTarget &target)
      : builder(builder), target(target.cpu), device(target.device ? &*target.device : nullptr),
        schedules(schedules), functions(functions) {}

  /// Appends the step of an operation, with the alternatives of each of its schedules; an operation without
  /// an overload is an error on it.
  mlir::LogicalResult emit(mlir::Operation *op, llvm::StringRef name);

  /// The entry point of the tile function that `build` makes; `key` says all that it depends on.
  mlir::FailureOr<std::string>
  tileFunction(mlir::Operation *op, llvm::StringRef part, llvm::StringRef key,
               llvm::function_ref<kernels::TileFunction(const std::string &symbol)> build);

  /// The same for a device function, of a whole launch.
  mlir::FailureOr<std::string>
  deviceFunction(mlir::Operation *op, llvm::StringRef part, llvm::StringRef key,
                 llvm::function_ref<kernels::DeviceFunction(const std::string &symbol)> build);

  program::Launch launch(std::string function, llvm::StringRef part) const;
  /// On a device, axes are not joined.
  int addGridAxis(program::Launch &launch, ir::ExtentAttr extent, int block = 1, bool joinsNext = false);

  ProgramBuilder &builder;
  const kernels::CpuTarget &target;
  const kernels::DeviceTarget *device; ///< null: functions of tiles, for the CPU

private:
  template <typename Function, typename CompileTo>
  mlir::FailureOr<std::string> addFunction(mlir::Operation *op, llvm::StringRef part, llvm::StringRef key,
                                           llvm::function_ref<Function(const std::string &symbol)> build,
                                           CompileTo compile);
  mlir::LogicalResult emitStep(mlir::Operation *op);
  mlir::LogicalResult emit(ir::AttentionOp op);
  mlir::LogicalResult emit(ir::ScoresOp op);
  mlir::LogicalResult emit(ir::LinearOp op);
  mlir::LogicalResult emit(ir::MatmulOp op);
  mlir::LogicalResult emit(ir::SoftmaxOp op);
  mlir::LogicalResult emit(ir::LogSumExpOp op);
  mlir::LogicalResult emit(ir::SumOp op);
  mlir::LogicalResult emit(ir::AmaxOp op);
  mlir::LogicalResult emit(ir::ArgmaxOp op);
  mlir::LogicalResult emit(ir::LayerNormOp op);
  mlir::LogicalResult emit(ir::RmsNormOp op);
  mlir::LogicalResult emit(ir::MapOp op);

  mlir::FailureOr<std::string> matmulFunction(ir::MatmulOp op);
  mlir::LogicalResult emitOnDevice(ir::AttentionOp op, const Captures &captures);

  mlir::LogicalResult emitReduction(mlir::Operation *op, kernels::Reduction kind);
  mlir::LogicalResult emitNorm(mlir::Operation *op, double epsilon);
  /// The step of an operation along the last axis.
  template <typename Kernel>
  mlir::LogicalResult emitRows(mlir::Operation *op, llvm::StringRef key, Kernel &kernel,
                               const RowFunctions<Kernel> &functions);
  template <typename Kernel>
  mlir::FailureOr<std::string> rowsFunction(mlir::Operation *op, llvm::StringRef key, Kernel &kernel,
                                            const RowFunctions<Kernel> &functions);

  /// A step with one way to run it.
  void addStep(program::Launch launch);

  /// One way to run a step: up to this size; without a limit when negative, never when 0. With
  /// `zeroArgument`, only if that argument of the call holds 0.
  struct Family {
    int64_t atMost;
    std::optional<unsigned> zeroArgument;
    std::function<mlir::FailureOr<std::vector<program::Launch>>()> launches;
  };
  /// A step whose family is chosen by `size`, now if that is a number. The last family has no condition.
  mlir::LogicalResult addStep(ir::ExtentAttr size, llvm::ArrayRef<Family> families);

  template <typename S> const S &schedule() const { return std::get<S>(*current); }

  const ScheduleChoices &schedules;
  TileFunctions &functions;
  std::string name;                  ///< of the operation being emitted
  const Schedule *current = nullptr; ///< that it is emitted with
};

/// The number of a static extent.
std::optional<int64_t> staticValue(ir::ExtentAttr extent);

/// The elements of a value, each counting `operations`.
ir::ExtentAttr volume(mlir::Value value, int64_t operations = 1);

/// A text of everything, for keys.
template <typename... Parts> std::string keyOf(const Parts &...parts) {
  std::ostringstream os;
  ((os << parts << '|'), ...);
  return os.str();
}

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_EMITTER_H
