//===- Compile.h - From plain graphs to a library ---------------*- C++ -*-===//
///
/// \file
/// The way through the compiler, as one list: import, passes, schedule, emit, library. `heed` (tools/) is a
/// thin command line over these functions.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_COMPILE_H
#define HEED_CODEGEN_COMPILE_H

#include "Emit/AssignSchedules.h"
#include "heed/dsl/graph_data.hpp"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>
#include <vector>

namespace heed {

/// What a compilation needs besides the graphs.
struct CompileOptions {
  std::string name = "kernels";             ///< library: libNAME.a, NAME.h, NAME_c.h
  std::string outputDirectory = ".";        ///< created when missing
  std::string scheduleFile;                 ///< empty: those beside the sources, else the defaults
  std::vector<std::string> sources;         ///< of the spec, beside which schedules are looked for
  llvm::ArrayRef<const spec::graph *> spec; ///< all its kernels: a schedule file may speak of those left out
  std::string target = "host";              ///< see parseTarget
  unsigned threads = 0;                     ///< tile functions compiled at a time; 0: one per core
};

/// What a compilation says of itself.
struct CompileReport {
  std::set<std::string> scheduleFiles; ///< that were read
  std::vector<std::string> notes;      ///< for the user, one sentence each
};

/// A form to stop at and print, in the order of the way through.
enum class Stage { Heed, Fused, Schedule, Driver, Stmt, Asm };

/// The kernels in the dialect, one heed.kernel each, as written (Stage::Heed).
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importKernels(mlir::MLIRContext &context,
                                                                llvm::ArrayRef<const spec::graph *> kernels);

/// The kernels after the passes (Stage::Fused). Remarks that the passes attach (why an attention was not
/// fused) go through the context's diagnostic handlers.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> fuseKernels(mlir::MLIRContext &context,
                                                              llvm::ArrayRef<const spec::graph *> kernels);

/// Writes libNAME.a, NAME.h and NAME_c.h into the output directory. An error names the spec's file and line.
llvm::Error compileLibrary(llvm::ArrayRef<const spec::graph *> kernels, const CompileOptions &options,
                           CompileReport *report = nullptr);

/// The schedules that the kernels are compiled with for one of the options' targets; without `target` they
/// must name one, since schedules hold for one. An empty file beside a source counts as none: the shell
/// has made it for what is to be printed.
llvm::Expected<AssignedSchedules> scheduleKernels(llvm::ArrayRef<const spec::graph *> kernels,
                                                  const CompileOptions &options,
                                                  std::optional<Target> target = std::nullopt);

/// The text of Stage::Schedule for several kernels.
llvm::Expected<std::string> printSchedules(llvm::ArrayRef<const spec::graph *> kernels,
                                           const CompileOptions &options);

/// The text of one kernel at a stage.
llvm::Expected<std::string> printStage(const spec::graph &kernel, Stage stage, const CompileOptions &options);

/// The functions of a kernel in a form, for every target of the options.
llvm::Expected<std::vector<TileFunctions::Compiled>>
compileFunctions(const spec::graph &kernel, CodeForm form, const CompileOptions &options);

} // namespace heed

#endif // HEED_CODEGEN_COMPILE_H
