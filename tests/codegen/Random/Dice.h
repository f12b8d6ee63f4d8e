//===- Dice.h - Random choices of a test ------------------------*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_RANDOM_DICE_H
#define HEED_TESTS_CODEGEN_RANDOM_DICE_H

#include <cstdint>
#include <initializer_list>
#include <random>

namespace heed::tests {

/// The same choices for the same seed on every machine: the standard's distributions differ between
/// libraries.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine(seed * 0x9E3779B97F4A7C15 + 1) {}

  /// In [low, high].
  int64_t between(int64_t low, int64_t high) { return low + int64_t(engine() % uint64_t(high - low + 1)); }
  double real(double low, double high) { return low + (high - low) * (double(engine() >> 11) * 0x1p-53); }
  bool chance(double probability) { return real(0, 1) < probability; }
  template <typename T> T pick(std::initializer_list<T> choices) {
    return choices.begin()[between(0, int64_t(choices.size()) - 1)];
  }

  std::mt19937_64 engine;
};

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_RANDOM_DICE_H
