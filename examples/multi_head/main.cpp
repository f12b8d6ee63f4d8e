// Calls every kernel of this example on random tensors and compares with the formulas in double precision.
#include "largest_difference.hpp"
#include "multi_head.h"
#include "naive.hpp"
#include "view_of.hpp"

#include <cstdio>
#include <memory>

static constexpr std::int64_t batch = 2, heads = 3, k_dim = 6, v_dim = 10;

// An output before its call: whatever is not written stays NaN.
static array unwritten(std::vector<std::int64_t> shape) {
  return filled(std::move(shape), std::numeric_limits<float>::quiet_NaN());
}

static bool report(const char *kernel, const heed::status &status, const array &y, const doubles &expected) {
  const double difference = largest_difference(y.values, expected);
  std::printf("%-22s largest difference %.1e %s\n", kernel, difference, status.message());
  return status.ok() && difference <= 1e-6;
}

static bool self_attention(bool masked) {
  constexpr std::int64_t tokens = 9, in = 12;
  const array x = random_array({batch, tokens, in}, 1, 1), w_q = random_array({k_dim * heads, in}, 2, 0.3),
              w_k = random_array({k_dim * heads, in}, 3, 0.3),
              w_v = random_array({v_dim * heads, in}, 4, 0.3),
              w_o = random_array({in, v_dim * heads}, 5, 0.2), b_o = random_array({in}, 6, 0.2);
  // Token q sees k when their sum is even; token 4 sees nothing and weighs all alike.
  const auto visible = [](std::int64_t, std::int64_t q, std::int64_t k) {
    return q != 4 && (q + k) % 2 == 0;
  };
  const auto mask = std::make_unique<bool[]>(batch * tokens * tokens);
  for (std::int64_t i = 0; i < batch * tokens * tokens; ++i)
    mask[static_cast<std::size_t>(i)] = visible(0, i / tokens % tokens, i % tokens);

  attention_form form{batch, heads, tokens, tokens};
  if (masked)
    form.visible = visible, form.fill = -1e9;
  const doubles in_double = widened(x);
  const doubles expected = linear(
      attention(form, linear(in_double, w_q), linear(in_double, w_k), linear(in_double, w_v)), w_o, b_o);
  array y = unwritten(x.shape);
  if (!masked)
    return report("self_attention",
                  heed_kernels::self_attention(view_of<3>(x), view_of<2>(w_q), view_of<2>(w_k),
                                               view_of<2>(w_v), view_of<2>(w_o), view_of<1>(b_o),
                                               view_of<3>(y)),
                  y, expected);
  const heed::status status = heed_kernels::self_attention_masked(
      view_of<3>(x), view_of<2>(w_q), view_of<2>(w_k), view_of<2>(w_v),
      {mask.get(), {batch, 1, tokens, tokens}}, view_of<2>(w_o), view_of<1>(b_o), view_of<3>(y));
  return report("self_attention_masked", status, y, expected);
}

static bool cross_attention() {
  constexpr std::int64_t queries = 5, keys = 11, in1 = 12, in2 = 9;
  const array x1 = random_array({batch, queries, in1}, 11, 1), x2 = random_array({batch, keys, in2}, 12, 1),
              w_q = random_array({k_dim * heads, in1}, 13, 0.3),
              w_k = random_array({k_dim * heads, in2}, 14, 0.3),
              w_v = random_array({v_dim * heads, in2}, 15, 0.3),
              w_o = random_array({in1, v_dim * heads}, 16, 0.2), b_o = random_array({in1}, 17, 0.2);
  const doubles expected = linear(attention({batch, heads, queries, keys}, linear(widened(x1), w_q),
                                            linear(widened(x2), w_k), linear(widened(x2), w_v)),
                                  w_o, b_o);
  array y = unwritten(x1.shape);
  const heed::status status =
      heed_kernels::cross_attention(view_of<3>(x1), view_of<3>(x2), view_of<2>(w_q), view_of<2>(w_k),
                                    view_of<2>(w_v), view_of<2>(w_o), view_of<1>(b_o), view_of<3>(y));
  return report("cross_attention", status, y, expected);
}

static bool token_major_block() {
  constexpr std::int64_t tokens = 9, in = 12;
  const array x = random_array({batch, tokens, in}, 21, 1), w_q = random_array({k_dim * heads, in}, 22, 0.3),
              b_q = random_array({k_dim * heads}, 23, 0.3), w_k = random_array({k_dim * heads, in}, 24, 0.3),
              b_k = random_array({k_dim * heads}, 25, 0.3), w_v = random_array({v_dim * heads, in}, 26, 0.3),
              b_v = random_array({v_dim * heads}, 27, 0.3), w_o = random_array({in, v_dim * heads}, 28, 0.2),
              b_o = random_array({in}, 29, 0.2);
  const doubles in_double = widened(x);
  const doubles expected = linear(attention({batch, heads, tokens, tokens}, linear(in_double, w_q, b_q),
                                            linear(in_double, w_k, b_k), linear(in_double, w_v, b_v)),
                                  w_o, b_o);
  array y = unwritten(x.shape);
  const heed::status status = heed_kernels::token_major_block(
      view_of<3>(x), view_of<2>(w_q), view_of<1>(b_q), view_of<2>(w_k), view_of<1>(b_k), view_of<2>(w_v),
      view_of<1>(b_v), view_of<2>(w_o), view_of<1>(b_o), view_of<3>(y));
  return report("token_major_block", status, y, expected);
}

static bool token_major_attention() {
  constexpr std::int64_t queries = 5, keys = 11;
  const array q = random_array({batch, queries, heads, k_dim}, 31, 2),
              k = random_array({batch, keys, heads, k_dim}, 32, 2),
              v = random_array({batch, keys, heads, v_dim}, 33, 2);
  array y = unwritten({batch, queries, heads, v_dim});
  const heed::status status =
      heed_kernels::token_major_attention(view_of<4>(q), view_of<4>(k), view_of<4>(v), view_of<4>(y));
  return report("token_major_attention", status, y,
                attention({batch, heads, queries, keys}, widened(q), widened(k), widened(v)));
}

int main() {
  const bool results[] = {self_attention(false), self_attention(true), cross_attention(), token_major_block(),
                          token_major_attention()};
  return std::all_of(std::begin(results), std::end(results), [](bool right) { return right; }) ? 0 : 1;
}
