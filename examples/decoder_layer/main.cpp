// Calls the layers of this example on three padded sources and compares with the formulas in double
// precision, and with each other.
#include "decoder_layer.h"
#include "formulas.hpp"
#include "largest_difference.hpp"
#include "view_of.hpp"

#include <cstdio>
#include <memory>

namespace {

constexpr std::int64_t batch = 3, queries = 6, keys = 7, width = 512, heads = 8;
constexpr std::int32_t lengths[batch] = {5, 7, 4};

bool is_real(std::int64_t b, std::int64_t, std::int64_t k) { return k < lengths[b]; }
bool is_past(std::int64_t, std::int64_t q, std::int64_t k) { return k <= q; }

array unwritten(std::vector<std::int64_t> shape) {
  return filled(std::move(shape), std::numeric_limits<float>::quiet_NaN());
}

bool report(const char *what, const heed::status &status, double difference, double limit) {
  std::printf("%-34s largest difference %.1e %s\n", what, difference, status.message());
  return status.ok() && difference <= limit;
}

array x = random_array({batch, queries, width}, 1, 1.5), memory = random_array({batch, keys, width}, 2, 1.5);

/// Masks as tensors; returns y.
array decoder_layer(bool &right) {
  const auto src_mask = std::make_unique<bool[]>(batch * keys),
             tgt_mask = std::make_unique<bool[]>(queries * queries);
  for (std::int64_t i = 0; i < batch * keys; ++i)
    src_mask[static_cast<std::size_t>(i)] = is_real(i / keys, 0, i % keys);
  for (std::int64_t i = 0; i < queries * queries; ++i)
    tgt_mask[static_cast<std::size_t>(i)] = is_past(0, i / queries, i % queries);
  random_call call(heed_program_decoder_layer);
  array y = unwritten(x.shape), weights = unwritten({batch, heads, queries, keys});
  float p = 0;
  std::int64_t seed = 7;
  call.set("x", x), call.set("memory", memory), call.set("y", y), call.set("weights", weights);
  call.set("src_mask", heed::view<const bool, 4>{src_mask.get(), {batch, 1, 1, keys}});
  call.set("tgt_mask", heed::view<const bool, 4>{tgt_mask.get(), {1, 1, queries, queries}});
  call.set("p", heed::view<float, 0>{&p}), call.set("seed", heed::view<std::int64_t, 0>{&seed});
  const heed::status status = call.run();
  const doubles expected = decoder_layer_formula(
      {widened(x), widened(memory), batch, queries, keys, is_past, is_real}, call, "layer");
  right &= report("decoder_layer", status, largest_difference(y.values, expected), 1e-5);
  double rows = 0; // the weights of a row add to 1, and padding has none
  for (std::int64_t row = 0; row < batch * heads * queries; ++row) {
    double sum = 0, padding = 0;
    for (std::int64_t k = 0; k < keys; ++k) {
      const double weight = weights.values[static_cast<std::size_t>(row * keys + k)];
      (is_real(row / heads / queries, 0, k) ? sum : padding) += weight;
    }
    rows = std::max({rows, std::fabs(sum - 1), padding});
  }
  right &= report("decoder_layer's weights", status, rows, 1e-6);
  return y;
}

void decoder_layer_by_lengths(const array &expected, bool &right) {
  random_call call(heed_program_decoder_layer_by_lengths);
  array y = unwritten(x.shape);
  call.set("x", x), call.set("memory", memory), call.set("y", y);
  call.set("lengths", heed::view<const std::int32_t, 1>{lengths, {batch}});
  const heed::status status = call.run();
  right &= report("decoder_layer_by_lengths", status, largest_difference(y.values, widened(expected)), 1e-5);
}

/// The i-th of `count` equal parts of packed weights.
std::vector<float> part(const array &packed, std::size_t i, std::size_t count) {
  const auto size = static_cast<std::ptrdiff_t>(packed.values.size() / count);
  const auto begin = packed.values.begin() + static_cast<std::ptrdiff_t>(i) * size;
  return {begin, begin + size};
}

/// Layers with weights of their own against the formulas, and against layers with packed weights.
void stacks(bool &right) {
  random_call named(heed_program_decoder_stack), packed(heed_program_packed_stack);
  for (int a = 0; a < heed_program_packed_stack.argument_count; ++a)
    if (const heed_argument &argument = heed_program_packed_stack.arguments[a]; argument.role == HEED_WEIGHT)
      for (std::size_t i = 0; i < 3; ++i) // layers_norm1_bias holds layers_0_norm1_bias, …
        named.weight("layers_" + std::to_string(i) + (argument.name + std::string("layers").size())).values =
            part(packed.weight(argument.name), i, 3);
  array y = unwritten(x.shape), y_packed = unwritten(x.shape);
  named.set("x", x), named.set("memory", memory), named.set("y", y);
  packed.set("x", x), packed.set("memory", memory), packed.set("y", y_packed);
  const heed::status status = named.run(), packed_status = packed.run();
  layer_inputs inputs{widened(x), widened(memory), batch, queries, keys, is_past, {}};
  for (int i = 0; i < 3; ++i)
    inputs.x = decoder_layer_formula(inputs, named, "layers_" + std::to_string(i));
  right &= report("decoder_stack", status, largest_difference(y.values, inputs.x), 2e-5);
  right &=
      report("packed_stack against it", packed_status, largest_difference(y_packed.values, widened(y)), 0);
}

} // namespace

int main() {
  bool right = true;
  const array y = decoder_layer(right);
  decoder_layer_by_lengths(y, right);
  stacks(right);
  return right ? 0 : 1;
}
