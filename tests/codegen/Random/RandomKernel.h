//===- RandomKernel.h - One attention at random -----------------*- C++ -*-===//
///
/// \file
/// A kernel that a seed decides: sizes, layouts, what happens to the scores in what order, options and
/// outputs. It is written with the words of the DSL.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_CODEGEN_RANDOM_RANDOMKERNEL_H
#define HEED_TESTS_CODEGEN_RANDOM_RANDOMKERNEL_H

#include "Arguments.h"
#include "RuntimeKernel.h"
#include "Scalars.h"
#include "TokenLayout.h"

#include <memory>

namespace heed::tests {

struct Sizes {
  int64_t batch, heads, keyHeads, queries, keys, depth, valueDepth;
};

struct RandomKernel {
  uint64_t seed = 0;
  Sizes sizes = {};
  std::unique_ptr<RuntimeKernel> kernel;
  std::vector<Argument> arguments; ///< q, k and v first
  TokenLayout layouts[3];          ///< of these
  bool hasNormedKeys = false;
  int scores = 0; ///< the node that is normalized
};

RandomKernel makeKernel(uint64_t seed);

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_RANDOM_RANDOMKERNEL_H
