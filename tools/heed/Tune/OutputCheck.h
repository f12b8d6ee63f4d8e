//===- OutputCheck.h - Results of two programs at full size -----*- C++ -*-===//
#ifndef HEED_TOOLS_OUTPUTCHECK_H
#define HEED_TOOLS_OUTPUTCHECK_H

#include "Measure/BenchArguments.h"

#include <string>

namespace heed::tools {

/// Compares what two calls with the same arguments write. Schedules change the order of roundings, so an
/// element may differ by 4096 roundings of the largest element beside it; what a wrong tile leaves (NaN, or
/// another tile's numbers) differs by much more. Outputs of integers are left to the evaluator: where numbers
/// nearly tie, roundings may decide which one is the largest.
class OutputCheck {
public:
  /// Fills the outputs with NaN, so that what is not written shows.
  explicit OutputCheck(const BenchArguments &arguments);

  /// The outputs are right as they are now. They are filled with NaN again.
  void expectOutputs();

  /// Of the outputs as they are now, the first element that differs; empty if none does.
  std::string mistake() const;

private:
  const BenchArguments &arguments;
  std::vector<std::vector<double>> expected;
};

} // namespace heed::tools

#endif // HEED_TOOLS_OUTPUTCHECK_H
