//===- TriedCandidates.h - What earlier searches measured -------*- C++ -*-===//
///
/// \file
/// A list in the cache folder of all candidates that were tried for one kernel, target, sizes and number of
/// threads, written while a search runs, so that `heed tune --resume` does not measure them again. It is
/// found by a hash of all that; a kernel that changes starts anew.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_TRIEDCANDIDATES_H
#define HEED_TOOLS_TRIEDCANDIDATES_H

#include "Tune/Search.h"

#include <filesystem>

namespace heed::tools {

class TriedCandidates {
public:
  /// `identity` says all that a measurement depends on.
  explicit TriedCandidates(const std::string &identity);

  /// Those of the operations' search spaces. Lines that can't be read are skipped.
  std::vector<tune::Tried> read(const std::vector<tune::TunedOperation> &operations,
                                const tune::Machine &machine) const;

  void clear() const;
  void append(const tune::TunedOperation &operation, const tune::Tried &tried) const;

private:
  std::filesystem::path file;
};

} // namespace heed::tools

#endif // HEED_TOOLS_TRIEDCANDIDATES_H
