#include "TokenLayout.h"

namespace heed::tests {

TokenLayout::TokenLayout(Dice &dice, int64_t heads, int64_t tokens, int64_t depth, const extent &depthExtent)
    : heads(heads), tokens(tokens), depth(depth), depthExtent(depthExtent) {
  arrangement = dice.pick({Arrangement::heads, Arrangement::heads, Arrangement::heads, Arrangement::permuted,
                           Arrangement::merged, Arrangement::part, Arrangement::chunk});
  third = int(dice.between(0, 2));
  if (depthExtent.is_number()) {
    first = dice.between(0, 9);
    width = first + depth + dice.between(0, 9);
    firstExtent = first;
    widthExtent = width;
  } else { // multiples of the symbol
    int64_t before = dice.between(0, 1), after = dice.between(0, 1);
    first = before * depth;
    width = (before + 1 + after) * depth;
    firstExtent = depthExtent * before;
    widthExtent = depthExtent * (before + 1 + after);
  }
}

std::vector<extent> TokenLayout::extents(const extent &b, const extent &h, const extent &s) const {
  switch (arrangement) {
  case Arrangement::heads:
    return {b, h, s, depthExtent};
  case Arrangement::permuted:
    return {b, s, h, depthExtent};
  case Arrangement::merged:
    return {b, s, h * depthExtent};
  case Arrangement::part:
    return {b, h, s, widthExtent};
  case Arrangement::chunk:
    return {b, s, h * depthExtent * 3};
  }
  return {};
}

std::vector<int64_t> TokenLayout::shape(int64_t b, int64_t s) const {
  switch (arrangement) {
  case Arrangement::heads:
    return {b, heads, s, depth};
  case Arrangement::permuted:
    return {b, s, heads, depth};
  case Arrangement::merged:
    return {b, s, heads * depth};
  case Arrangement::part:
    return {b, heads, s, width};
  case Arrangement::chunk:
    return {b, s, 3 * heads * depth};
  }
  return {};
}

tensor TokenLayout::view(const tensor &argument, const extent &h) const {
  switch (arrangement) {
  case Arrangement::heads:
    return argument;
  case Arrangement::permuted:
    return permute(argument, {0, 2, 1, 3});
  case Arrangement::merged:
    return split_heads(argument, h);
  case Arrangement::part:
    return slice(argument, 3, firstExtent, depthExtent);
  case Arrangement::chunk:
    return split_heads(chunk<3>(argument, -1)[size_t(third)], h);
  }
  return {};
}

int64_t TokenLayout::offset(int64_t b, int64_t h, int64_t s, int64_t d) const {
  if (arrangement == Arrangement::part)
    return ((b * heads + h) * tokens + s) * width + first + d;
  if (arrangement == Arrangement::heads)
    return ((b * heads + h) * tokens + s) * depth + d;
  int64_t parts = arrangement == Arrangement::chunk ? 3 : 1, part = parts == 3 ? third : 0;
  return (((b * tokens + s) * parts + part) * heads + h) * depth + d;
}

} // namespace heed::tests
