// A heat map from another project.
#include <heed/plot.hpp>

#include <fstream>
#include <iterator>

int main() {
  const std::vector<float> weights{0.75f, 0.25f, 0.25f, 0.75f, /* head 1 */ 0.25f, 0.75f, 0.75f, 0.25f};
  heed::plot::matrix mean = heed::plot::mean_over_heads(std::span<const float>(weights), 2, 2, 2);
  heed::plot::page page =
      heed::plot::heat_map(mean, {.source = {{"ein", "Satz"}}, .target = {{"a", "sentence"}}});
  heed::plot::write(page, "picture.svg");
  std::ifstream stream("picture.svg");
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  return svg.find("Target Sequence (2): a sentence") != std::string::npos ? 0 : 1;
}
