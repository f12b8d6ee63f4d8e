//===- TileRunner.h - Loads a tile function into the test -------*- C++ -*-===//
#ifndef HEED_TESTS_KERNELS_TILERUNNER_H
#define HEED_TESTS_KERNELS_TILERUNNER_H

#include "TileFunction.h"
#include "heed/abi.h"

#include <array>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace heed::kernels {

/// An operand of a tile function, innermost axis first.
class Operand {
public:
  struct Axis {
    int64_t extent, stride;
  };
  Operand(const void *data, halide_type_t type, std::initializer_list<Axis> axes);
  /// Copies share nothing: a heed_buffer points into its own axes.
  Operand(const Operand &other);
  Operand &operator=(const Operand &) = delete;

  heed_buffer *buffer() { return &value; }
  void moveTo(const void *data) { value.host = static_cast<uint8_t *>(const_cast<void *>(data)); }
  void setExtent(int axis, int64_t extent) { dimensions[axis].extent = static_cast<int32_t>(extent); }

private:
  std::array<heed_dimension, 4> dimensions{};
  heed_buffer value{};
};

/// Scratch of a test: counts what is allocated, can be made to fail.
struct ScratchContext {
  int failAfter = -1; ///< allocations that succeed; negative: all
  uint64_t current = 0, peak = 0;
  std::vector<std::pair<void *, uint64_t>> live;
  std::vector<std::pair<void *, uint64_t>> spare; ///< kept for reuse, as the runtime's arena does
  bool inOrder = true;                            ///< every release was the latest allocation's
  ~ScratchContext();
};

/// Compiles a tile function and loads it as a shared object.
class LoadedTile {
public:
  LoadedTile(const TileFunction &function, const CpuTarget &target);

  int operator()(ScratchContext &context, const std::vector<int32_t> &scalars,
                 const std::vector<Operand *> &operands) const;
  heed_tile_function function() const { return entry; }
  double compileSeconds = 0;

private:
  std::shared_ptr<void> library;
  heed_tile_function entry = nullptr;
};

/// Undefined symbols of an object file, as `nm` lists them.
std::vector<std::string> undefinedSymbols(const std::string &object);

} // namespace heed::kernels

#endif // HEED_TESTS_KERNELS_TILERUNNER_H
