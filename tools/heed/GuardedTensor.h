//===- GuardedTensor.h - Buffers that notice stray accesses -----*- C++ -*-===//
///
/// \file
/// A tensor in memory for a call under test: any order and padding of its axes, any offset, and guard zones
/// on both sides. Guards and gaps hold a poison value (NaN for floats), so that a stray read shows in the
/// result and a stray write in the buffer.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_GUARDEDTENSOR_H
#define HEED_TOOLS_GUARDEDTENSOR_H

#include "HostTensor.h"
#include "heed/abi.h"

#include <random>

namespace heed::tools {

/// Where the elements of a tensor lie.
struct Layout {
  Shape strides;           ///< in elements
  std::int64_t offset = 0; ///< elements between the guard zone and the first element
  std::int64_t span = 0;   ///< elements from the first to behind the last
};

/// Dense, row-major.
Layout denseLayout(const Shape &shape);

/// One of: dense, padded rows, outer axes in another order, or all of it; the innermost axis keeps stride 1.
/// With `mayRepeat` (inputs) an outer axis may have stride 0.
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

  /// "strides (4160, 65, 1), 3 elements in"
  std::string layoutText() const;

private:
  std::byte *first();
  const std::byte *first() const;

  spec::dtype type;
  Shape shape;
  Layout layout;
  std::vector<std::byte> memory;
  std::vector<std::byte> sealed;
};

} // namespace heed::tools

#endif // HEED_TOOLS_GUARDEDTENSOR_H
