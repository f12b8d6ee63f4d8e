// The formula of attention in double precision, one row after the other.
#ifndef HEED_TESTS_CASES_NAIVE_HPP
#define HEED_TESTS_CASES_NAIVE_HPP

#include "Kernels.h"

#include <cmath>
#include <functional>

namespace heed::cases {

struct Position {
  int64_t b, h, q, k;
};

/// The new score of a scaled one; -infinity hides the key.
using Change = std::function<double(double score, const Position &at)>;

/// q (b, h, m, d), k (b, g, n, d), v (b, g, n, e) -> (b, h, m, e); h / g neighbouring query heads share keys.
inline tests::Array naive(
    const tests::Array &q, const tests::Array &k, const tests::Array &v, double scale,
    const Change &change = [](double score, const Position &) { return score; }) {
  const int64_t batch = q.shape()[0], heads = q.shape()[1], queries = q.shape()[2], depth = q.shape()[3],
                group = heads / k.shape()[1], keys = k.shape()[2], width = v.shape()[3];
  tests::Array y = tests::Array::filled({batch, heads, queries, width}, 0, q.host().type);
  std::vector<double> scores(keys), row(width);
  for (Position at{0, 0, 0, 0}; at.b < batch; ++at.b)
    for (at.h = 0; at.h < heads; ++at.h)
      for (at.q = 0; at.q < queries; ++at.q) {
        double largest = -INFINITY, sum = 0;
        for (at.k = 0; at.k < keys; ++at.k) {
          double dot = 0;
          for (int64_t d = 0; d < depth; ++d)
            dot += q.at({at.b, at.h, at.q, d}) * k.at({at.b, at.h / group, at.k, d});
          scores[at.k] = change(scale * dot, at);
          largest = std::max(largest, scores[at.k]);
        }
        std::fill(row.begin(), row.end(), 0);
        for (int64_t n = 0; n < keys; ++n) {
          if (scores[n] == -INFINITY)
            continue;
          double weight = std::exp(scores[n] - largest);
          sum += weight;
          for (int64_t e = 0; e < width; ++e)
            row[e] += weight * v.at({at.b, at.h / group, n, e});
        }
        for (int64_t e = 0; e < width; ++e)
          y.set({at.b, at.h, at.q, e}, sum > 0 ? row[e] / sum : 0);
      }
  return y;
}

} // namespace heed::cases

#endif // HEED_TESTS_CASES_NAIVE_HPP
