//===- Problem.h - What a search tunes, and for what ------------*- C++ -*-===//
///
/// \file
/// A fused operation at given sizes, and the machine it runs on, as numbers.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TUNE_PROBLEM_H
#define HEED_CODEGEN_TUNE_PROBLEM_H

#include "Schedule/Schedule.h"

namespace heed::tune {

/// What the compiler and the system say about the machine.
struct Machine {
  int lanes = 4;                                          ///< 32-bit elements of a vector register
  int registers = 16;                                     ///< vector registers
  int64_t firstCache = 32 << 10, secondCache = 512 << 10; ///< bytes, of one core
  int threads = 1;
  int sharedBytes = 0, blockThreads = 0; ///< of one block, on a device

  ScheduleLimits limits() const {
    return blockThreads > 0 ? ScheduleLimits(sharedBytes, blockThreads) : ScheduleLimits(lanes);
  }
};

/// The sizes of one operation.
///
///               instances        rows        columns    depth    valueDepth
///   attention   batch · heads    queries     keys       d        e (0: no value)
///   scores      batch · heads    queries     keys       d        0
///   linear      1                rows        outputs    inputs   0
///   matmul      leading axes     rows        columns    summed   0
///   rows        1                rows        length     0        0
///   map         leading axes     outer axis  inner axis 0        0
struct Problem {
  int64_t instances = 1, rows = 1, columns = 1, depth = 0, valueDepth = 0;
  int elementBytes = 4;
  int productsPerLane = 1; ///< that one instruction adds: 2 of dot products of bf16
};

/// A fused operation that a search tunes.
struct TunedOperation {
  std::string name;
  Schedule standard; ///< the default schedule
  Problem problem;
};

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_PROBLEM_H
