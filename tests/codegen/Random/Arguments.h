//===- Arguments.h - Arguments of a random kernel ---------------*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_RANDOM_ARGUMENTS_H
#define HEED_TESTS_CODEGEN_RANDOM_ARGUMENTS_H

#include "Arrays/HostTensor.h"
#include "Dice.h"

namespace heed::tests {

/// What an argument holds.
enum class Content {
  numbers,     ///< normal
  biases,      ///< normal, some -infinity
  conditions,  ///< bytes with rows that are all 0 or all 1 among them; true is any nonzero byte
  lengths,     ///< integers in [-1, limit + 2]
  documents,   ///< ascending numbers along the last axis, in runs
  position,    ///< integers in [0, limit]
  probability, ///< 0, or between 0 and 1
  anything,    ///< integers of any size
};

struct Argument {
  spec::dtype type = spec::dtype::f32;
  tools::Shape shape;
  Content content = Content::numbers;
  int64_t limit = 0;
  bool isState = false;
};

tools::HostTensor draw(const Argument &argument, Dice &dice);

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_RANDOM_ARGUMENTS_H
