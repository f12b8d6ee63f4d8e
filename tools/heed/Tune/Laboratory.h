//===- Laboratory.h - Candidates compiled, verified and timed ---*- C++ -*-===//
///
/// \file
/// Measures the schedules of one kernel at one size. A candidate is compiled as `heed compile` does, without
/// the families that don't run at these sizes; verified against the evaluator at reduced sizes, on guarded
/// memory, and against the incumbent's results at the full ones; and only then timed beside the incumbent.
/// All of it happens in a child process, which a crash or a hang does not outlive.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_LABORATORY_H
#define HEED_TOOLS_LABORATORY_H

#include "Kernels/LoadedKernel.h"
#include "Kernels/Sizes.h"
#include "Measure/BenchArguments.h"
#include "Support/Process.h"
#include "Target/Target.h"
#include "Tune/ChildProcess.h"
#include "Tune/Search.h"

#include <map>
#include <set>

namespace heed::tools {

struct LaboratorySetup {
  const spec::graph *kernel = nullptr;
  SymbolValues values;
  Inputs inputs; ///< complete
  std::vector<tune::TunedOperation> operations;
  Target target;
  int threads = 1;
  std::uint64_t seed = 1;
  std::function<bool()> stopped; ///< asked while a child works
};

/// A kernel's speed with some schedules.
struct Speed {
  double seconds = 0, share = 0;
  std::string limit; ///< "FMA peak", "bf16 dot-product peak", "read bandwidth"; empty where none is probed
};

/// Two tables beside each other, and the limit.
struct SideBySide {
  std::vector<double> gains; ///< of the second over the first
  double firstSeconds = 0;
  Speed second;
};

class Laboratory {
public:
  explicit Laboratory(LaboratorySetup setup);

  /// Verifies the defaults and measures them. Throws ToolError when they don't compile or are wrong; nothing
  /// when the user stopped it.
  std::optional<Speed> measureDefaults();

  tune::Trial measure(const ScheduleTable &candidate, const ScheduleTable &incumbent);

  /// Nothing when it was stopped or failed.
  std::optional<SideBySide> compare(const ScheduleTable &first, const ScheduleTable &second, int pairs);

private:
  int numberOf(const ScheduleTable &table);
  std::filesystem::path folderOf(int number) const;
  std::filesystem::path sharedOf(int number) const;
  void compileMissing(int number, const ScheduleTable &table) const;
  std::string mistakeOf(const LoadedKernel &candidate, const LoadedKernel &incumbent);
  std::string mistakeAtReducedSizes(const LoadedKernel &candidate) const;
  ChildReport run(const std::function<std::string(const Announce &)> &work);

  LaboratorySetup setup;
  TemporaryDirectory directory;
  BenchArguments arguments;
  std::map<std::string, int> numbers; ///< of tables, by their text
  std::set<int> verified;
  double limit = 120;     ///< seconds of a child
  std::string speedLimit; ///< of Measurement, once it is known
};

} // namespace heed::tools

#endif // HEED_TOOLS_LABORATORY_H
