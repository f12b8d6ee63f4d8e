//===- KeptRows.h - What an append leaves alone -----------------*- C++ -*-===//
///
/// \file
/// Remembers a state before a call, to find rows that changed though the call doesn't append them. These must
/// keep their bits, where what is appended may differ by a rounding.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_KEPTROWS_H
#define HEED_TOOLS_KEPTROWS_H

#include "Arrays/HostTensor.h"

#include <optional>

namespace heed::tools {

class KeptRows {
public:
  /// `count` rows are appended along an axis, from index `first` on.
  KeptRows(HostTensor before, int axis, std::int64_t first, std::int64_t count)
      : before(std::move(before)), axis(axis), first(first), count(count) {}

  /// The first other row whose bits differ.
  std::optional<std::int64_t> changed(const HostTensor &after) const;

private:
  HostTensor before;
  int axis;
  std::int64_t first, count;
};

} // namespace heed::tools

#endif // HEED_TOOLS_KEPTROWS_H
