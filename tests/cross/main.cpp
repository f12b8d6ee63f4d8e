/// `main LEVEL`: calls every kernel of the library, compares with the formulas in double precision, and
/// checks that the code of this CPU level ran. Status 1 and a sentence when something is wrong.

#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using floats = std::vector<float>;

/// Differences that sums of some hundred terms in single precision may have.
constexpr double tolerance = 2e-5;

[[noreturn]] void fail(const std::string &sentence) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::exit(1);
}

floats drawn(std::int64_t count) {
  static std::mt19937 random(1);
  floats elements(static_cast<std::size_t>(count));
  for (float &element : elements)
    element = static_cast<float>(random()) / 2147483648.0f - 1;
  return elements;
}

floats unwritten(std::int64_t count) {
  return floats(static_cast<std::size_t>(count), std::numeric_limits<float>::quiet_NaN());
}

void check(const char *kernel, const heed::status &status, const floats &got,
           const std::vector<double> &expected) {
  if (!status)
    fail(status.message());
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::fabs(got[i] - expected[i]) <= tolerance * std::max(1.0, std::fabs(expected[i]))))
      fail(std::string(kernel) + ": element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", " +
           std::to_string(expected[i]) + " is right");
}

/// softmax(q kᵀ / √depth) v of (heads, tokens, depth).
std::vector<double> attention(const floats &q, const floats &k, const floats &v, int heads, int queries,
                              int keys, int depth, bool is_causal) {
  std::vector<double> y(static_cast<std::size_t>(heads * queries * depth));
  for (int row = 0; row < heads * queries; ++row) {
    const int first_key = row / queries * keys, end = is_causal ? row % queries + 1 : keys;
    std::vector<double> weights(static_cast<std::size_t>(end));
    double total = 0;
    for (int n = 0; n < end; ++n) {
      double score = 0;
      for (int d = 0; d < depth; ++d)
        score += static_cast<double>(q[row * depth + d]) * k[(first_key + n) * depth + d];
      total += weights[n] = std::exp(score / std::sqrt(depth));
    }
    for (int n = 0; n < end; ++n)
      for (int d = 0; d < depth; ++d)
        y[row * depth + d] += weights[n] / total * v[(first_key + n) * depth + d];
  }
  return y;
}

void check_attention(int heads, int queries, int keys) {
  const floats q = drawn(heads * queries * 64), k = drawn(heads * keys * 64), v = drawn(heads * keys * 64);
  floats y = unwritten(heads * queries * 64);
  const heed::view<const float, 4> keys_view{k.data(), {1, heads, keys, 64}};
  const auto status =
      heed_kernels::attention_d64({q.data(), {1, heads, queries, 64}}, keys_view,
                                  {v.data(), {1, heads, keys, 64}}, {y.data(), {1, heads, queries, 64}});
  check("attention_d64", status, y, attention(q, k, v, heads, queries, keys, 64, false));
}

void check_causal(int heads, int tokens) {
  const std::int64_t count = heads * tokens * 20;
  const floats q = drawn(count), k = drawn(count), v = drawn(count);
  floats y = unwritten(count);
  const auto view = [&](const floats &x) {
    return heed::view<const float, 4>{x.data(), {1, heads, tokens, 20}};
  };
  const auto status = heed_kernels::causal_d20(view(q), view(k), view(v), {y.data(), {1, heads, tokens, 20}});
  check("causal_d20", status, y, attention(q, k, v, heads, tokens, tokens, 20, true));
}

void check_linear(int rows) {
  const floats x = drawn(rows * 512), w = drawn(512 * 512);
  floats y = unwritten(rows * 512);
  std::vector<double> expected(static_cast<std::size_t>(rows * 512));
  for (int r = 0; r < rows; ++r)
    for (int o = 0; o < 512; ++o)
      for (int i = 0; i < 512; ++i)
        expected[r * 512 + o] += static_cast<double>(x[r * 512 + i]) * w[o * 512 + i];
  check("linear_512",
        heed_kernels::linear_512({x.data(), {rows, 512}}, {w.data(), {512, 512}}, {y.data(), {rows, 512}}), y,
        expected);
}

} // namespace

int main(int, char **arguments) {
  const std::string wanted = arguments[1];
  const heed_program *const selected = heed_select_program(&heed_program_attention_d64, nullptr);
  const std::string found = selected ? heed_cpu_level_name(selected->cpu_level) : "none";
  if (found != wanted)
    fail("a call runs the level " + found + ", " + wanted + " is right");
  // Sizes for each family of tiles: one query, few, many.
  check_attention(2, 1, 77);
  check_attention(2, 7, 133);
  check_attention(1, 75, 70);
  check_causal(2, 67);
  check_linear(3);
  check_linear(45);
}
