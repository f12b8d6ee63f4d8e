#include "attention.h"
#include "evaluate.hpp"
#include "largest_difference.hpp"
#include "parts.hpp"
#include "view_of.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

// A call with views that are made once, as a program would that calls often.
static auto prepare(const block &b, array &y) {
  return [queries = view_of<3>(b.queries), keys = view_of<3>(b.keys), values = view_of<3>(b.values),
          mask = view_of<4>(b.mask), w_query = view_of<2>(b.w_query), w_key = view_of<2>(b.w_key),
          w_value = view_of<2>(b.w_value), w_out = view_of<2>(b.w_out), b_out = view_of<1>(b.b_out),
          y = view_of<3>(y)] {
    return heed_kernels::cross_attention(queries, keys, values, mask, w_query, w_key, w_value, w_out, b_out,
                                         y);
  };
}

// The largest difference from the naive evaluation, over an output that nothing was left in.
static double difference(const block &b, array &y) {
  y = filled({3, 5, 8}, std::numeric_limits<float>::quiet_NaN());
  if (heed::status status = prepare(b, y)(); !status)
    throw std::runtime_error(status.message());
  return largest_difference(y.values, evaluate(b).y);
}

// The clock is read once for many calls: it takes as long as a part of one.
static double median_microseconds(const block &b, array &y) {
  constexpr int batches = 201, calls = 50;
  const auto call = prepare(b, y);
  std::vector<double> times(batches);
  for (double &time : times) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
      if (!call())
        throw std::runtime_error("a repeated call failed");
    time =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / calls;
  }
  std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
  return times[batches / 2];
}

static void print(const array &y) {
  for (std::int64_t row = 0; row < y.shape[0] * y.shape[1]; ++row) {
    std::printf("%s", row % y.shape[1] == 0 ? "\n   " : "   ");
    for (std::int64_t i = 0; i < y.shape[2]; ++i)
      std::printf(" %8.4f", static_cast<double>(y.values[static_cast<std::size_t>(row * y.shape[2] + i)]));
    std::printf("\n");
  }
}

bool run_small_block() {
  const double range = 1 / std::sqrt(10.0), range_out = 1 / std::sqrt(8.0);
  block b;
  b.heads = 2;
  b.queries = random_array({3, 5, 10}, 1, 1);
  b.keys = random_array({3, 7, 10}, 2, 1);
  b.values = random_array({3, 7, 10}, 3, 1);
  b.mask = filled({3, 2, 5, 7}, 1);
  b.w_query = random_array({8, 10}, 4, range);
  b.w_key = random_array({8, 10}, 5, range);
  b.w_value = random_array({8, 10}, 6, range);
  b.w_out = random_array({8, 8}, 7, range_out);
  b.b_out = random_array({8}, 8, range_out);

  array y;
  const double all_visible = difference(b, y);
  std::printf("cross_attention: batch 3, 5 queries, 7 keys, 10 -> 8, 2 heads; y (3, 5, 8):\n");
  print(y);
  std::printf("\nlargest difference from the evaluation in double precision: %.1e\n", all_visible);
  std::printf("time per call: %.2f us (median of 201 times 50 calls)\n", median_microseconds(b, y));

  // Two of three pairs hidden, and everything from the first query of each head.
  for (std::size_t i = 0; i < b.mask.values.size(); ++i)
    b.mask.values[i] = i % 3 == 0 && i % 35 >= 7 ? 1.0f : 0.0f;
  const double masked = difference(b, y);
  std::printf("with two of three pairs hidden: %.1e\n", masked);
  return all_visible <= 1e-6 && masked <= 1e-6;
}
