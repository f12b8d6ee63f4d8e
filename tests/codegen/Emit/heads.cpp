// Linear layers that write heads: straight into an output, and into temporaries, which lie heads first or
// tokens first by the number of tokens.
#include "Compiled.h"
#include "Naive.h"
#include "Text.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;

namespace {

constexpr int64_t heads = 9, depth = 48, inputs = 24;

/// x · wᵀ + b, split into heads, and with `isNormalized` the heads' layer_norm.
std::string headsKernel(const std::string &name, bool isNormalized) {
  std::string x = tensor("b, s, 24"), w = tensor("432, 24"), bias = tensor("432"), p = tensor("b, s, 432"),
              y = tensor("b, 9, s, 48");
  std::string body = "%p = heed.linear %x0, %x1, %x2 : (" + x + ", " + w + ", " + bias + ") -> " + p +
                     "\n%h = heed.split_heads %p into <9> : (" + p + ") -> " + y;
  if (isNormalized)
    body += "\n%n = heed.layer_norm %h epsilon 1.0e-05 : (" + y + ") -> " + y;
  return kernel(name, {x, w, bias}, y, body + "\nheed.return %" + (isNormalized ? "n" : "h") + " : " + y);
}

void check(const Compiled &library, bool isNormalized, int64_t batch, int64_t tokens) {
  CAPTURE(isNormalized, batch, tokens);
  auto x = Tensor<float>::random({batch, tokens, inputs}, 1),
       w = Tensor<float>::random({heads * depth, inputs}, 2), b = Tensor<float>::random({heads * depth}, 3);
  Tensor<float> y({batch, heads, tokens, depth});
  REQUIRE(library.call(isNormalized ? "normalized" : "written", {x.view(), w.view(), b.view(), y.view()}) ==
          "");
  auto head = [&](const Index &i) {
    return linearAt([&](auto &j) { return x.at(j); }, w, &b, {i[0], i[2], i[1] * depth + i[3]});
  };
  Index row;
  double mean = 0, variance = 0;
  auto expected = [&](const Index &i) {
    if (!isNormalized)
      return head(i);
    if (Index of{i[0], i[1], i[2]}; of != row) {
      row = of, mean = variance = 0;
      for (int64_t d = 0; d < depth; ++d)
        mean += head({i[0], i[1], i[2], d}) / depth;
      for (int64_t d = 0; d < depth; ++d)
        variance += std::pow(head({i[0], i[1], i[2], d}) - mean, 2) / depth;
    }
    return (head(i) - mean) / std::sqrt(variance + 1e-5);
  };
  CHECK(largestDifference(y, expected) < 2e-5);
  CHECK(y.guardsIntact());
}

} // namespace

TEST_CASE("a linear writes heads wherever they lie") {
  static const Compiled library(headsKernel("written", false) + headsKernel("normalized", true));
  CHECK(library.programs[0].temporaries.empty());
  REQUIRE(library.programs[1].temporaries.size() == 1);
  CHECK(library.programs[1].temporaries[0].rowBlock == 64);
  CHECK(library.programs[1].steps.size() == 2);
  // One entry, few tokens, whole blocks, blocks that are nearly empty and nearly full.
  for (auto [batch, tokens] : {std::pair(1, 1),
                               {1, 8},
                               {1, 9},
                               {2, 4},
                               {7, 1},
                               {1, 77},
                               {3, 0},
                               {3, 1},
                               {3, 5},
                               {2, 60},
                               {2, 64},
                               {2, 65},
                               {2, 128},
                               {2, 190}})
    for (bool isNormalized : {false, true})
      check(library, isNormalized, batch, tokens);
}
