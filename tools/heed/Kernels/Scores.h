//===- Scores.h - The way from a matmul to a softmax ------------*- C++ -*-===//
///
/// \file
/// What happens to scores between their matmul and their softmax, as the graph says it: for counting work and
/// for drawing inputs that make sense. Reads the plain graph; what the compiler fuses is another matter.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_SCORES_H
#define HEED_TOOLS_SCORES_H

#include "Reference/Symbols.h"

#include <vector>

namespace heed::tools {

/// A `where` that hides what its condition says.
struct HidingCondition {
  int condition = -1;
  bool visibleWhen = true;
};

struct ScoreChain {
  int weights = -1;                        ///< a softmax, or what a product weighs with when there is none
  int matmul = -1;                         ///< the scores' product, -1 when the weights have none
  std::vector<int> masks;                  ///< `mask` nodes on the way
  std::vector<HidingCondition> conditions; ///< of `where` with -infinity on the way
  std::vector<int> biases;                 ///< arguments added to the scores
};

/// One chain per attention of the kernel: per softmax, per log_sum_exp of other scores, and per product whose
/// left side hides keys.
std::vector<ScoreChain> scoreChains(const spec::graph &kernel);

/// The node whose weights these are: before dropout and score programs.
int weightsBehind(const spec::graph &kernel, int node);

/// Whether the argument is a condition somewhere: 0 and nonzero are all that counts.
bool isCondition(const spec::graph &kernel, int node);

} // namespace heed::tools

#endif // HEED_TOOLS_SCORES_H
