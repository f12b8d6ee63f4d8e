// The six attention blocks of a trained sentence encoder, their weights loaded by name, against stored
// outputs.
#include "encoder.h"

#include <heed/weights.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace {

constexpr int layers = 6, heads = 12, width = 384;

/// A value, or the end of the program with the sentence that says why there is none.
template <class T> T must(heed::result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.message());
    std::exit(1);
  }
  return *std::move(result);
}

/// An array of a folder of .npy files.
heed::dense_array read(const heed::weights_store &arrays, const std::string &name, heed_dtype type) {
  const auto found = arrays.find(name);
  if (found.size() != 1) {
    std::fprintf(stderr, "%s.npy: not there\n", name.c_str());
    std::exit(1);
  }
  return must(heed::load(*found.front(), type));
}

/// Largest absolute difference; infinite where a value is NaN or missing.
double largest_difference(const std::vector<float> &found, const heed::dense_array &expected) {
  const auto *values = reinterpret_cast<const float *>(expected.data.get());
  double largest =
      found.size() * sizeof(float) == expected.bytes ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < found.size() && std::isfinite(largest); ++i) {
    const double difference = std::fabs(static_cast<double>(found[i]) - values[i]);
    largest =
        std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::fmax(largest, difference);
  }
  return largest;
}

/// An output, full of NaN before the call.
std::vector<float> room(std::int64_t count) {
  return std::vector<float>(static_cast<std::size_t>(count), std::numeric_limits<float>::quiet_NaN());
}

bool run_layer(int layer, const heed::weights_store &weights, const heed::weights_store &arrays,
               const heed::dense_array &real) {
  // q_weight is layer0.q.weight in the file, 16 bits wide there; and so on.
  auto block = must(heed::bind_kernel(heed_program_attention_block, weights,
                                      {.prefix = "layer" + std::to_string(layer) + "."}));
  const auto expected = [&](const char *what) {
    return read(arrays, "L" + std::to_string(layer) + "_" + what, HEED_F32);
  };
  const heed::dense_array x = expected("in");
  const std::int64_t batch = x.shape[0], tokens = x.shape[1];
  std::vector<float> probabilities = room(batch * heads * tokens * tokens),
                     context = room(batch * tokens * width), attended = context, y = context;
  block.set("x", heed::view{reinterpret_cast<const float *>(x.data.get()), {batch, tokens, width}})
      .set("real", heed::view{reinterpret_cast<const bool *>(real.data.get()), {batch, 1, 1, tokens}})
      .set("probabilities", heed::view{probabilities.data(), {batch, heads, tokens, tokens}})
      .set("context", heed::view{context.data(), {batch, tokens, width}})
      .set("attended", heed::view{attended.data(), {batch, tokens, width}})
      .set("y", heed::view{y.data(), {batch, tokens, width}});
  if (const heed::status status = block.call(); !status) {
    std::fprintf(stderr, "%s\n", status.message());
    return false;
  }
  const double at_probabilities = largest_difference(probabilities, expected("probs"));
  const double at_context = largest_difference(context, expected("context"));
  const double at_attended = largest_difference(attended, expected("attn_out"));
  const double at_y = largest_difference(y, expected("block_out"));
  std::printf("%5d  %13.1e  %7.1e  %8.1e  %7.1e\n", layer, at_probabilities, at_context, at_attended, at_y);
  return at_probabilities <= 1e-6 && at_context <= 1e-5 && at_attended <= 1e-5 && at_y <= 1e-5;
}

} // namespace

int main(int count, char **arguments) {
  const std::string data = count > 1 ? arguments[1] : EXAMPLE_DATA;
  const heed::weights_store weights = must(heed::load_weights({data + "/weights.safetensors"}));
  const heed::weights_store arrays = must(heed::load_weights({data + "/mask.npy", data + "/layers"}));
  const heed::dense_array real = read(arrays, "mask", HEED_B8);
  std::printf("largest differences from the stored outputs\n"
              "layer  probabilities  context  attended  y\n");
  bool right = true;
  for (int layer = 0; layer < layers; ++layer)
    right &= run_layer(layer, weights, arrays, real);
  return right ? 0 : 1;
}
