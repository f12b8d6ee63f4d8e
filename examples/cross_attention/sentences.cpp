#include "attention.h"
#include "largest_difference.hpp"
#include "parts.hpp"
#include "view_of.hpp"

#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>

static std::vector<std::string> read_lines(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  if (lines.empty())
    throw std::runtime_error(path + ": no lines");
  return lines;
}

static void require(const heed::status &status) {
  if (!status)
    throw std::runtime_error(status.message());
}

static double difference_from_file(const array &found, const std::string &path) {
  const array expected = read_npy(path);
  return largest_difference(found.values, {expected.values.begin(), expected.values.end()});
}

// For every query token the word it looks at most, over the mean of all heads. The model's own marks ([CLS],
// [SEP]) attract most of the weight of any sentence, so they are told apart.
static void print_alignment(const array &weights, const std::vector<std::string> &queries,
                            const std::vector<std::string> &keys) {
  const std::size_t heads = static_cast<std::size_t>(weights.shape[1]);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<double> mean(keys.size());
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t k = 0; k < keys.size(); ++k)
        mean[k] += weights.values[(h * queries.size() + q) * keys.size() + k] / static_cast<double>(heads);
    std::size_t word = 1;
    double marks = 0;
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (keys[k].front() == '[')
        marks += mean[k];
      else if (mean[k] > mean[word])
        word = k;
    std::printf("    %-12s -> %-8s %.2f   (marks %.2f)\n", queries[q].c_str(), keys[word].c_str(), mean[word],
                marks);
  }
}

bool run_sentences(const std::string &data) {
  const auto read = [&](const char *name) { return read_npy(data + "/" + name + ".npy"); };
  const array x = read("queries"), context = read("context");
  const array w_query = read("w_query"), w_key = read("w_key"), w_value = read("w_value"),
              w_out = read("w_out");
  const array b_query = read("b_query"), b_key = read("b_key"), b_value = read("b_value"),
              b_out = read("b_out");

  const float nan = std::numeric_limits<float>::quiet_NaN();
  array attended = filled(x.shape, nan), y = attended;
  require(heed_kernels::sentence_attention(view_of<3>(x), view_of<3>(context), view_of<2>(w_query),
                                           view_of<1>(b_query), view_of<2>(w_key), view_of<1>(b_key),
                                           view_of<2>(w_value), view_of<1>(b_value), view_of<2>(w_out),
                                           view_of<1>(b_out), view_of<3>(attended), view_of<3>(y)));
  array weights = filled({1, 12, x.shape[1], context.shape[1]}, nan);
  require(heed_kernels::sentence_weights(view_of<3>(x), view_of<3>(context), view_of<2>(w_query),
                                         view_of<1>(b_query), view_of<2>(w_key), view_of<1>(b_key),
                                         view_of<4>(weights)));

  const double at_y = difference_from_file(y, data + "/expected_y.npy");
  const double at_attended = difference_from_file(attended, data + "/expected_attended.npy");
  const double at_weights = difference_from_file(weights, data + "/expected_weights.npy");
  std::printf("\nsentence_attention: %d tokens look at %d, width 384, 12 heads, trained weights\n",
              static_cast<int>(x.shape[1]), static_cast<int>(context.shape[1]));
  std::printf("largest differences from the stored outputs: y %.1e, heads' outputs %.1e, weights %.1e\n",
              at_y, at_attended, at_weights);
  std::printf("the word that each token looks at most (mean weight of the heads):\n");
  print_alignment(weights, read_lines(data + "/queries.txt"), read_lines(data + "/context.txt"));
  return at_y <= 1e-5 && at_attended <= 1e-5 && at_weights <= 1e-5;
}
