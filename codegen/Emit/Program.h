//===- Program.h - What a generated library holds, as values ----*- C++ -*-===//
///
/// \file
/// The table that the runtime walks (`heed_program` of runtime/include/heed/abi.h), one to one, as C++
/// values: what the planner fills, WriteDriver prints and nothing else interprets. Extents are interned, so
/// an index into `Program::extents` identifies an extent: equal index, equal extent.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_PROGRAM_H
#define HEED_CODEGEN_EMIT_PROGRAM_H

#include "heed/abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::program {

/// numerator · Π symbol^power / denominator, reduced; factors sorted by symbol.
struct Extent {
  struct Factor {
    unsigned symbol = 0;
    int power = 1;
    bool operator==(const Factor &) const = default;
  };
  int64_t numerator = 1;
  int64_t denominator = 1;
  bool roundUp = false;
  llvm::SmallVector<Factor, 4> factors;

  bool operator==(const Extent &) const = default;

  static Extent number(int64_t value);
  /// The value, when there is no symbol in it.
  std::optional<int64_t> constant() const;
  Extent operator*(const Extent &other) const;
  /// ⌈this / divisor⌉.
  Extent ceilDivide(int64_t divisor) const;
};

struct Argument {
  std::string name;
  heed_role role = HEED_INPUT;
  heed_dtype dtype = HEED_F32;
  llvm::SmallVector<unsigned> extents; ///< outermost first
};

/// Dense, row-major memory that lives during one call; with moreThan or atMost > 0 only when extent `limited`
/// is larger than the one and no larger than the other.
struct Temporary {
  heed_dtype dtype = HEED_F32;
  llvm::SmallVector<unsigned> extents;
  unsigned slot = 0;
  unsigned limited = 0;
  int64_t moreThan = 0;
  int64_t atMost = 0;
  unsigned rowBlock = 0; ///< see heed_temporary
};

/// One axis of an operand as a tile function sees it; see heed_axis.
struct Axis {
  unsigned extent = 0;
  unsigned multiplier = 0;
  int axis = -1;
  int grid = -1;
  bool byTile = false;
};

/// See heed_offset.
struct Offset {
  heed_offset_kind kind = HEED_OFFSET_EXTENT;
  int axis = 0;
  unsigned index = 0;
};

/// `buffer` counts the arguments first, then the temporaries. Axes are innermost first.
struct Operand {
  std::string name; ///< a comment in the driver
  unsigned buffer = 0;
  unsigned kernelRank = 0;
  bool isOutput = false;
  llvm::SmallVector<Axis> axes;
  llvm::SmallVector<Offset> offsets = {};
};

struct Scalar {
  heed_scalar_kind kind = HEED_EXTENT;
  unsigned index = 0;
};

struct GridAxis {
  unsigned extent = 0;
  bool joinsNext = false;
  int32_t block = 1;
};

struct Launch {
  std::string function; ///< symbol of the tile function
  std::string name;     ///< for people
  llvm::SmallVector<GridAxis> grid;
  llvm::SmallVector<Scalar> scalars;
  llvm::SmallVector<Operand> operands;
  unsigned work = 0;
};

/// extent <= atMost
struct Condition {
  unsigned extent = 0;
  int64_t atMost = 0;
};

/// Run when all conditions hold and the scalar argument `zeroArgument`, if any, holds 0.
struct Alternative {
  std::optional<unsigned> zeroArgument;
  llvm::SmallVector<Condition, HEED_MAX_CONDITIONS> conditions;
  std::vector<Launch> launches;
};

struct Step {
  std::vector<Alternative> alternatives;
};

/// Rows of the extent `part` fit into one of the extent `whole` from the scalar argument on.
struct Bound {
  unsigned argument = 0;
  unsigned whole = 0;
  unsigned part = 0;
  bool operator==(const Bound &) const = default;
};

/// A kernel for one CPU level, or for a device that is driven by code for one.
struct Program {
  std::string name;
  heed_cpu_level level = HEED_CPU_ANY;
  heed_device_api device = HEED_DEVICE_NONE;
  std::vector<std::string> symbols;
  std::vector<Extent> extents;
  std::vector<Argument> arguments;
  std::vector<Temporary> temporaries;
  unsigned slots = 0;
  std::vector<Step> steps;
  std::vector<Bound> bounds;

  unsigned symbol(llvm::StringRef name);
  unsigned extent(const Extent &extent);
  unsigned number(int64_t value) { return extent(Extent::number(value)); }
  unsigned product(llvm::ArrayRef<unsigned> factors);

  unsigned addTemporary(heed_dtype dtype, llvm::ArrayRef<unsigned> extents); ///< its buffer number
  llvm::ArrayRef<unsigned> bufferExtents(unsigned buffer) const;
  heed_dtype bufferType(unsigned buffer) const;

  std::string text(unsigned extent) const; ///< `2*heads`, `ceil(keys/512)`
};

/// Gives temporaries that are never alive together the same slot of the arena.
void assignSlots(Program &program);

/// The name of an element type in specs and headers: f32, b8, …
llvm::StringRef name(heed_dtype type);

} // namespace heed::program

#endif // HEED_CODEGEN_EMIT_PROGRAM_H
