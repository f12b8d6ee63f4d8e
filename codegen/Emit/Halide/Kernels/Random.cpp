#include "Random.h"

using namespace Halide;

namespace heed::kernels {

namespace {

struct Product {
  Expr high, low; ///< uint32
};

Product multiply(uint32_t factor, const Expr &word) {
  const Expr product = cast<uint64_t>(word) * Internal::make_const(UInt(64), factor);
  return {cast<uint32_t>(product >> 32), cast<uint32_t>(product)};
}

Expr lowWord(const Expr &value) { return cast<uint32_t>(cast<uint64_t>(value)); }
Expr highWord(const Expr &value) { return cast<uint32_t>(cast<uint64_t>(value) >> 32); }

} // namespace

std::array<Expr, 4> philox(std::array<Expr, 4> counter, std::array<Expr, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const Product first = multiply(0xD2511F53, counter[0]), second = multiply(0xCD9E8D57, counter[2]);
    counter = {second.high ^ counter[1] ^ key[0], second.low, first.high ^ counter[3] ^ key[1], first.low};
    key = {key[0] + Expr(uint32_t(0x9E3779B9)), key[1] + Expr(uint32_t(0xBB67AE85))};
  }
  return counter;
}

Expr uniform(const Expr &seed, const Expr &index, uint32_t site) {
  const std::array<Expr, 4> words = philox({lowWord(index), highWord(index), Expr(site), Expr(uint32_t(0))},
                                           {lowWord(seed), highWord(seed)});
  return cast<float>(words[0] >> 8) * 0x1p-24f;
}

} // namespace heed::kernels
