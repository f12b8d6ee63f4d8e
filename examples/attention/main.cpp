// Calls every kernel of this example on sizes that no block divides, compares with the formulas in double
// precision, and counts what a long call allocates.
#include "attention.h"
#include "largest_difference.hpp"
#include "naive.hpp"
#include "peak_memory.hpp"
#include "view_of.hpp"

#include <cstdio>

static bool report(const char *kernel, const heed::status &status, const array &y, const doubles &expected) {
  const double difference = largest_difference(y.values, expected);
  std::printf("%-22s largest difference %.1e %s\n", kernel, difference, status.message());
  return status.ok() && difference <= 2e-6;
}

using attention_function = heed::status (*)(heed::view<const float, 4>, heed::view<const float, 4>,
                                            heed::view<const float, 4>, heed::view<float, 4>,
                                            const heed::options &);

// One head of the formula is one batch entry of the naive evaluation: (b, h, s, d) is (b · h, s, 1, d).
static bool check(const char *name, attention_function kernel, std::int64_t depth, bool causal,
                  std::int64_t queries, std::int64_t keys) {
  constexpr std::int64_t batch = 2, heads = 3;
  const array q = random_array({batch, heads, queries, depth}, 1, 2),
              k = random_array({batch, heads, keys, depth}, 2, 2),
              v = random_array({batch, heads, keys, depth}, 3, 2);
  attention_form form{batch * heads, 1, queries, keys};
  if (causal)
    form.visible = [](std::int64_t, std::int64_t query, std::int64_t key) { return key <= query; };
  array y = filled(q.shape, std::numeric_limits<float>::quiet_NaN());
  const heed::status status = kernel(view_of<4>(q), view_of<4>(k), view_of<4>(v), view_of<4>(y), {});
  return report(name, status, y, attention(form, widened(q), widened(k), widened(v)));
}

static bool check_linear() {
  const array x = random_array({101, 512}, 4, 1), weight = random_array({512, 512}, 5, 0.05),
              bias = random_array({512}, 6, 1);
  array y = filled(x.shape, std::numeric_limits<float>::quiet_NaN());
  const heed::status status =
      heed_kernels::linear_512(view_of<2>(x), view_of<2>(weight), view_of<1>(bias), view_of<2>(y));
  return report("linear_512", status, y, linear(widened(x), weight, bias));
}

int main() {
  using namespace heed_kernels;
  const bool results[] = {
      check("attention_d64", attention_d64, 64, false, 101, 203),
      check("attention_d64 decode", attention_d64, 64, false, 1, 777),
      check("attention_d80", attention_d80, 80, false, 67, 45),
      check("attention_d128", attention_d128, 128, false, 33, 65),
      check("attention_d64_causal", attention_d64_causal, 64, true, 131, 131),
      check("attention_d128_causal", attention_d128_causal, 128, true, 71, 40),
      check_linear(),
      check_peak_memory(),
  };
  return std::all_of(std::begin(results), std::end(results), [](bool right) { return right; }) ? 0 : 1;
}
