//===- Scalars.h - Random expressions of masks and scores -------*- C++ -*-===//
///
/// \file
/// Expressions as a user could write them, and as nobody would. Reals carry a bound on their magnitude, so
/// that arguments of exponentials stay where the error bounds mean something.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_CODEGEN_RANDOM_SCALARS_H
#define HEED_TESTS_CODEGEN_RANDOM_SCALARS_H

#include "Dice.h"

#include <heed/dsl.hpp>

#include <optional>
#include <vector>

namespace heed::tests {

/// An axis of the scores, or one that has nothing to do with them.
enum class Axis { batch, head, query, key, free };

/// A tensor that programs may read.
struct Table {
  tensor elements;
  std::vector<Axis> axes;
};

struct Real {
  scalar value;
  double bound; ///< |value| <= bound, infinities and NaN of poisoned scores aside
};

class ScalarWriter {
public:
  /// `positions` are those of the program: four of scores, or any number of a table. `keys` is the number of
  /// keys.
  ScalarWriter(Dice &dice, const std::vector<Table> &tables, std::vector<scalar> positions, extent keys)
      : dice(dice), tables(tables), positions(std::move(positions)), keys(std::move(keys)) {}

  scalar integer(int depth);
  scalar truth(int depth);
  Real real(int depth);

  /// A new score from a score; `hidden` says that it may be -infinity already.
  scalar score(const scalar &old, bool hidden);

private:
  scalar leafInteger();
  scalar usualMask();
  Real leafReal();
  Real combined(Real a, Real b);
  Real function(Real a);
  Real bounded(Real a, double bound);
  std::optional<scalar> read(spec::scalar_type type);
  scalar index(const Table &table, size_t axis);
  scalar at(Axis axis) const { return positions[size_t(axis)]; }

  Dice &dice;
  const std::vector<Table> &tables;
  std::vector<scalar> positions;
  extent keys;
  int readsAround = 0; ///< reads of which an index is being written
};

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_RANDOM_SCALARS_H
