#include "Reference/Philox.h"

namespace heed::reference {

namespace {

/// Table 2 of the paper, and the golden ratio and √3 − 1 as fractions of 2^32.
constexpr std::uint32_t multipliers[] = {0xD2511F53, 0xCD9E8D57}, increments[] = {0x9E3779B9, 0xBB67AE85};
constexpr int rounds = 10;

std::uint32_t low(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::int64_t value) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32);
}

} // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < rounds; ++round) {
    std::uint64_t first = std::uint64_t{multipliers[0]} * counter[0],
                  second = std::uint64_t{multipliers[1]} * counter[2];
    counter = {
        static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
        static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key = {key[0] + increments[0], key[1] + increments[1]};
  }
  return counter;
}

float uniform(std::int64_t seed, std::int64_t index, std::int32_t site) {
  std::uint32_t word =
      philox({low(index), high(index), static_cast<std::uint32_t>(site), 0}, {low(seed), high(seed)})[0];
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

} // namespace heed::reference
