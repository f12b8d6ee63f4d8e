// Checks the translator: all held-out lines give what the trained model gave, and every decoder layer
// computes what was recorded.
#include "model.hpp"

#include "teacher.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

namespace {

bool check_lines(const std::string &data) {
  heed::result<translator> model = translator::load(data);
  if (!model) {
    std::printf("%s\n", model.message());
    return false;
  }
  std::ifstream file(data + "/pairs.tsv");
  int lines = 0, equal = 0;
  std::string line;
  std::getline(file, line); // the names of the columns
  while (std::getline(file, line)) {
    std::string from, date, greedy;
    std::istringstream columns(line);
    std::getline(columns, from, '\t'), std::getline(columns, date, '\t'), std::getline(columns, greedy, '\t');
    const heed::result<translation> translated = model->translate(from);
    ++lines;
    if (translated && translated->text == greedy)
      ++equal;
    else
      std::printf("%s: %s, needed %s\n", from.c_str(),
                  translated ? translated->text.c_str() : translated.message(), greedy.c_str());
  }
  std::printf("%d of %d lines as the trained model writes them\n", equal, lines);
  return lines == 200 && equal == lines;
}

/// Recorded arrays by name, and one that the kernel writes for each.
struct record {
  const char *argument, *file;
  double tolerance;
};
constexpr record records[] = {{"memory", "memory", 1e-5},
                              {"dec_0_out", "dec0_out", 1e-5},
                              {"dec_0_self_weights", "dec0_self_weights", 1e-6},
                              {"dec_0_cross_weights", "dec0_cross_weights", 1e-6},
                              {"dec_1_out", "dec1_out", 1e-5},
                              {"dec_1_self_weights", "dec1_self_weights", 1e-6},
                              {"dec_1_cross_weights", "dec1_cross_weights", 1e-6},
                              {"scores", "logits", 1e-4}};

heed_view view_of(heed_dtype type, void *data, const std::vector<std::int64_t> &shape) {
  heed_view view{data, type, static_cast<std::int32_t>(shape.size()), {}, {}, HEED_MEMORY_HOST, 0};
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
    view.extents[axis] = shape[axis];
    view.strides[axis] = stride;
  }
  return view;
}

heed_view view_of(const heed::dense_array &array) {
  return view_of(array.type, array.data.get(), array.shape);
}

double largest_difference(const std::vector<float> &found, const heed::dense_array &expected) {
  const auto *values = reinterpret_cast<const float *>(expected.data.get());
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(found[i]) - values[i]);
    largest =
        std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::fmax(largest, difference);
  }
  return largest;
}

bool check_layers(const std::string &data) {
  const auto weights = heed::load_weights({data + "/model.safetensors"});
  const auto names = heed::read_name_map(data + "/names.map");
  if (!weights || !names) {
    std::printf("%s%s\n", weights.message(), names.message());
    return false;
  }
  auto kernel = heed::bind_kernel(heed_program_teacher_forcing, *weights, {.names = *names});
  const auto source = heed::read_npy(data + "/trace/src_ids.npy"),
             target = heed::read_npy(data + "/trace/tgt_in_ids.npy");
  if (!kernel || !source || !target) {
    std::printf("%s%s%s\n", kernel.message(), source.message(), target.message());
    return false;
  }
  // A line ends where its padding begins.
  const std::int64_t batch = source->shape[0], longest = source->shape[1];
  const auto *ids = reinterpret_cast<const std::int64_t *>(source->data.get());
  std::vector<std::int32_t> lengths(static_cast<std::size_t>(batch));
  for (std::int64_t i = 0; i < batch * longest; ++i)
    lengths[static_cast<std::size_t>(i / longest)] += ids[i] != vocabulary::pad;
  kernel->set("source_ids", view_of(*source)).set("target_ids", view_of(*target));
  kernel->set("lengths", view_of(HEED_I32, lengths.data(), {batch}));

  std::vector<heed::dense_array> expected;
  std::vector<std::vector<float>> found;
  for (const record &each : records) {
    const auto array = heed::read_npy(data + "/trace/" + each.file + ".npy");
    if (!array) {
      std::printf("%s\n", array.message());
      return false;
    }
    expected.push_back(*array);
    found.emplace_back(array->bytes / sizeof(float), std::numeric_limits<float>::quiet_NaN());
    kernel->set(each.argument, view_of(HEED_F32, found.back().data(), array->shape));
  }
  if (const heed::status status = kernel->call(); !status) {
    std::printf("%s\n", status.message());
    return false;
  }
  bool right = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = largest_difference(found[i], expected[i]);
    std::printf("%-20s largest difference %.1e\n", records[i].argument, difference);
    right &= difference <= records[i].tolerance;
  }
  return right;
}

} // namespace

int main() {
  const bool lines = check_lines(EXAMPLE_DATA), layers = check_layers(EXAMPLE_DATA);
  return lines && layers ? 0 : 1;
}
