//===- TokenLayout.h - How an argument holds tokens -------------*- C++ -*-===//
///
/// \file
/// The tokens (batch, heads, tokens, depth) of q, k or v as an argument holds them: axes in another order,
/// heads in one axis with the depth, or as a part of a wider tensor.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_CODEGEN_RANDOM_TOKENLAYOUT_H
#define HEED_TESTS_CODEGEN_RANDOM_TOKENLAYOUT_H

#include "Dice.h"

#include <heed/dsl.hpp>
#include <vector>

namespace heed::tests {

class TokenLayout {
public:
  TokenLayout() = default;
  /// Sizes of the call; extents as the kernel has them.
  TokenLayout(Dice &dice, int64_t heads, int64_t tokens, int64_t depth, const extent &depthExtent);

  /// The argument's axes for those of the tokens, and in numbers.
  std::vector<extent> extents(const extent &b, const extent &h, const extent &s) const;
  std::vector<int64_t> shape(int64_t b, int64_t s) const;

  /// (b, h, s, d) of the argument.
  tensor view(const tensor &argument, const extent &h) const;

  /// Where an element lies in the argument, row-major.
  int64_t offset(int64_t b, int64_t h, int64_t s, int64_t d) const;

  /// The argument's axis of tokens.
  int tokenAxis() const { return isHeadsFirst() ? 2 : 1; }

private:
  enum class Arrangement {
    heads,    ///< (b, h, s, d)
    permuted, ///< (b, s, h, d)
    merged,   ///< (b, s, h·d)
    part,     ///< (b, h, s, more than d)
    chunk,    ///< (b, s, 3·h·d)
  };
  bool isHeadsFirst() const { return arrangement == Arrangement::heads || arrangement == Arrangement::part; }

  Arrangement arrangement = Arrangement::heads;
  int64_t heads = 0, tokens = 0, depth = 0;
  extent depthExtent = 1;
  /// part: features before and in all, the extents of both. chunk: which third.
  int64_t first = 0, width = 0;
  extent firstExtent = 0, widthExtent = 1;
  int third = 0;
};

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_RANDOM_TOKENLAYOUT_H
