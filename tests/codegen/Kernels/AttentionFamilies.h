//===- AttentionFamilies.h - All tiles of one attention ---------*- C++ -*-===//
#ifndef HEED_TESTS_KERNELS_ATTENTIONFAMILIES_H
#define HEED_TESTS_KERNELS_ATTENTIONFAMILIES_H

#include "AttentionProblem.h"

#include <algorithm>

namespace heed::kernels {

inline RowsTile blockTile() { return defaultSchedule(AttentionSizes{}, hostTarget().lanes).rows; }
inline RowsTile smallTile() { return defaultSchedule(AttentionSizes{}, hostTarget().lanes).small; }

/// A row sees the keys up to its own index.
inline ScoreProgram causalProgram() {
  ScoreProgram program;
  program.apply = [](Halide::Expr score, const ScorePosition &at, const ElementAt &,
                     const std::vector<Halide::Expr> &) {
    return ScoreAndVisible{score, at.key <= at.query};
  };
  program.visibleKeys = [](Halide::Expr, Halide::Expr last, Halide::Expr, const ElementAt &,
                           const std::vector<Halide::Expr> &) { return KeyRange{0, last + 1}; };
  program.fullKeys = [](Halide::Expr first, Halide::Expr, Halide::Expr, const ElementAt &,
                        const std::vector<Halide::Expr> &) { return KeyRange{0, first + 1}; };
  return program;
}

/// The families under test, with chunks small enough that several are merged.
struct Families {
  explicit Families(const AttentionKernel &kernel) : kernel(kernel) {
    RowsTile chunked = blockTile();
    chunked.keyChunk = kernel.listed ? 2 * keyBlock : 8 * chunked.keyTile;
    for (const RowsTile &tile : {blockTile(), smallTile(), chunked})
      rows.push_back(std::make_unique<RowsTiles>(kernel, tile));
    for (int count : {1, 3})
      if (!kernel.listed)
        depth.push_back(std::make_unique<DepthTiles>(kernel, count, 32));
  }

  /// The largest error of any family.
  template <class Problem> double worst(Problem &problem, const PlainProgram &program) const {
    double error = 0;
    for (const auto &family : rows) {
      problem.run(*family);
      error = std::max(error, problem.error(kernel, program));
    }
    for (const auto &family : depth) {
      problem.run(*family);
      error = std::max(error, problem.error(kernel, program));
    }
    return error;
  }

  AttentionKernel kernel;
  std::vector<std::unique_ptr<RowsTiles>> rows;
  std::vector<std::unique_ptr<DepthTiles>> depth;
};

} // namespace heed::kernels

#endif // HEED_TESTS_KERNELS_ATTENTIONFAMILIES_H
