//===- Check.h - One call of a random kernel against the evaluator -*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_RANDOM_CHECK_H
#define HEED_TESTS_CODEGEN_RANDOM_CHECK_H

#include "CompiledLibrary.h"
#include "RandomKernel.h"

namespace heed::tests {

struct Outcome {
  std::string wrong;     ///< the first mistake, empty when there is none
  int64_t elements = 0;  ///< of all outputs
  int64_t compared = 0;  ///< of those with a bound that says something
  bool emptyRow = false; ///< some row sees no key
  bool poisoned = false; ///< some key is hidden from all rows and holds NaN or a huge number
};

/// Draws arguments, replaces keys and values that no query sees by NaN, infinities and 1e30, calls the kernel
/// on guarded buffers full of NaN and compares every output.
Outcome checkKernel(const RandomKernel &made, const CompiledLibrary &library);

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_RANDOM_CHECK_H
