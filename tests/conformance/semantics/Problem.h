// Random inputs of the kernels of semantics.cpp, with keys hidden and spoilt at will.
#ifndef HEED_TESTS_CONFORMANCE_SEMANTICS_PROBLEM_H
#define HEED_TESTS_CONFORMANCE_SEMANTICS_PROBLEM_H

#include "heed/view.hpp"

#include <cstdint>
#include <vector>

namespace semantics {

inline constexpr int batch = 2, heads = 2, depth = 8;

using Array = std::vector<float>;

/// Outputs of a kernel, NaN before the call.
struct Result {
  Array y;   ///< (batch, heads, queries, depth)
  Array lse; ///< (batch, heads, queries)
};

struct Problem {
  int queries, keys;
  Array q, k, v;                     ///< (batch, heads, queries or keys, depth)
  Array bias;                        ///< (queries, keys)
  std::vector<std::uint8_t> visible; ///< (batch, 1, queries, keys), all 1 at first

  Problem(int queries, int keys);

  void hide(int b, int query, int key) { visible[(b * queries + query) * keys + key] = 0; }
  void hideRow(int b, int query);
  void hideKey(int b, int key);

  /// Fills a key or a value in all heads of a batch entry.
  void spoil(Array &array, int b, int key, float number) const;

  Result byTensor() const;
  Result byLength(const std::vector<std::int64_t> &lengths) const;
  Result bySum() const;
  Array nanForEmpty() const;
  Array finiteFill() const;

  /// Where row (b, h, query) begins in Result::y; divided by the depth, its place in Result::lse.
  int row(int b, int h, int query) const { return ((b * heads + h) * queries + query) * depth; }

private:
  heed::view<const float, 4> view(const Array &array) const;
  heed::view<const bool, 4> mask() const;
  heed::view<float, 4> output(Array &y) const;
  heed::view<float, 3> output(Result &result) const;
  Result empty() const;
};

} // namespace semantics

#endif // HEED_TESTS_CONFORMANCE_SEMANTICS_PROBLEM_H
