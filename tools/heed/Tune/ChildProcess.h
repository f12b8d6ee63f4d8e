//===- ChildProcess.h - Work that may crash or hang -------------*- C++ -*-===//
///
/// \file
/// Runs a function in a forked process and waits for it, so that a fault, an endless loop or a signal there
/// does no harm here. The parent must have no threads that hold locks.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_CHILDPROCESS_H
#define HEED_TOOLS_CHILDPROCESS_H

#include <functional>
#include <string>

namespace heed::tools {

enum class ChildEnd {
  Finished, ///< the work returned
  Threw,    ///< the work threw a std::exception
  Died,     ///< it exited or a signal killed it
  TimedOut,
  Stopped
};

struct ChildReport {
  ChildEnd end = ChildEnd::Died;
  std::string result; ///< what the work returned, or the exception's sentence
  std::string phase;  ///< the last that the work announced
  std::string words;  ///< for ChildEnd::Died: the signal or status, with the last line on standard error
};

/// Announces what the work does next, in a word.
using Announce = std::function<void(const std::string &phase)>;

/// The child, and all processes that it starts, are killed after `seconds` or when `stopped` says so, which
/// is asked ten times a second.
ChildReport runInChild(const std::function<std::string(const Announce &)> &work, double seconds,
                       const std::function<bool()> &stopped);

} // namespace heed::tools

#endif // HEED_TOOLS_CHILDPROCESS_H
