//===- GuardedTensor.h - Buffers that notice stray accesses -----*- C++ -*-===//
///
/// \file
/// A tensor in memory for a call under test: any order and padding of its axes, any offset, a guard zone
/// before it and a page that faults behind it, or the other way round. Guards and gaps hold a poison value
/// (NaN for floats), so that a stray read shows in the result and a stray write in the buffer.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_GUARDEDTENSOR_H
#define HEED_TOOLS_GUARDEDTENSOR_H

#include "Arrays/HostTensor.h"
#include "Arrays/ProtectedMemory.h"
#include "heed/abi.h"

#include <random>

namespace heed::tools {

/// Where the elements of a tensor lie.
struct Layout {
  Shape strides;           ///< in elements
  std::int64_t before = 0; ///< elements of the guard zone before the first one
  std::int64_t after =
      0;                 ///< elements of the guard zone behind the last one, which ends at a page that faults
  std::int64_t span = 0; ///< elements from the first to behind the last
};

/// Dense, row-major, guard zones on both sides.
Layout denseLayout(const Shape &shape);

/// One of: dense, padded rows, outer axes in another order, or all of it; the innermost axis keeps stride 1.
/// With `mayRepeat` (inputs) an outer axis may have stride 0. The guard zone behind may be empty.
Layout drawLayout(const Shape &shape, bool mayRepeat, std::mt19937_64 &random);

class GuardedTensor {
public:
  /// Everything is poison, the elements included.
  GuardedTensor(spec::dtype type, Shape shape, Layout layout);

  heed_view view();

  void write(const HostTensor &values);
  HostTensor read() const;

  /// Remembers the whole buffer; damaged() then compares with it. With `elementsToo` false elements may
  /// change.
  void seal();
  bool damaged(bool elementsToo) const;

  /// Whether a fault at this address comes from running off this tensor.
  bool surrounds(const void *address) const { return memory.surrounds(address); }

  /// "strides (4160, 65, 1), 1027 elements of guard before, 0 behind"
  std::string layoutText() const;

private:
  std::size_t firstByte() const { return layout.before * elementSize(type); }

  spec::dtype type;
  Shape shape;
  Layout layout;
  ProtectedMemory memory;
  std::vector<std::byte> sealed;
};

} // namespace heed::tools

#endif // HEED_TOOLS_GUARDEDTENSOR_H
