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

struct ScoreChain {
  int softmax = -1;
  int matmul = -1;         ///< the scores' product, -1 when the softmax has none
  std::vector<int> masks;  ///< `mask` nodes on the way
  std::vector<int> biases; ///< arguments added to the scores
};

/// One chain per softmax of the kernel.
std::vector<ScoreChain> scoreChains(const spec::graph &kernel);

/// Whether the argument is a condition somewhere: 0 and nonzero are all that counts.
bool isCondition(const spec::graph &kernel, int node);

} // namespace heed::tools

#endif // HEED_TOOLS_SCORES_H
