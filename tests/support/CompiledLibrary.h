//===- CompiledLibrary.h - Graphs compiled and loaded into a test -*- C++ -*-===//
///
/// \file
/// The way of a user's kernels, from plain graphs to calls, inside a test: import, passes, schedules, tile
/// functions, archive, shared object. A program that uses it must export its symbols (ENABLE_EXPORTS), since
/// loaded kernels find their scratch memory there.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_SUPPORT_COMPILEDLIBRARY_H
#define HEED_TESTS_SUPPORT_COMPILEDLIBRARY_H

#include "Schedule/Schedule.h"
#include "heed/abi.h"
#include "heed/dsl/graph_data.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heed::tests {

/// May change the schedules, which come as the defaults for `lanes` elements of a vector.
using AdjustSchedules = std::function<void(ScheduleTable &schedules, int lanes)>;

class CompiledLibrary {
public:
  /// On a fault `error()` says which, and nothing can be called.
  explicit CompiledLibrary(std::span<const spec::graph *const> kernels, const AdjustSchedules &adjust = {},
                           const std::string &target = "host");
  ~CompiledLibrary();
  CompiledLibrary(const CompiledLibrary &) = delete;

  const std::string &error() const { return fault; }

  /// The table of a kernel; null if the library has none of this name.
  const heed_program *program(const std::string &kernel) const;

  /// The message of a call, empty when all went well. Views are in the order of the graph's arguments.
  std::string call(const std::string &kernel, std::span<const heed_view> arguments,
                   const heed_options *options = nullptr) const;

  /// Names of the fused operations that have a schedule: "KERNEL.attention", …
  std::vector<std::string> operations() const;

private:
  std::string compile(std::span<const spec::graph *const> kernels, const AdjustSchedules &adjust,
                      const std::string &target);

  ScheduleTable schedules;
  std::string fault, folder;
  void *handle = nullptr;
};

} // namespace heed::tests

#endif // HEED_TESTS_SUPPORT_COMPILEDLIBRARY_H
