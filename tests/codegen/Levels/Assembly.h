//===- Assembly.h - Loops of a tile function's assembly ---------*- C++ -*-===//
///
/// \file
/// Finds the loops in which a tile function spends its time: innermost ones that multiply and add, and
/// nothing else. The exponential, which has spare constants to fetch again, is told from them by its shifts
/// and comparisons.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_CODEGEN_LEVELS_ASSEMBLY_H
#define HEED_TESTS_CODEGEN_LEVELS_ASSEMBLY_H

#include <map>
#include <string>
#include <vector>

namespace heed::tests {

struct Loop {
  int products = 0;              ///< of vectors, that are added to something; of them
  int dots = 0;                  ///< dot products of bf16
  int broadcasts = 0, loads = 0; ///< of one element into all lanes, of vectors
  int gathers = 0;
  std::vector<std::string> spills; ///< of vector registers
};

/// Of every function of `heed compile --emit=asm`, by its symbol, the loops with at least half as many
/// products as the one with most.
std::map<std::string, std::vector<Loop>> microKernels(const std::string &assembly);

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_LEVELS_ASSEMBLY_H
