// translate [LINE [HEAT MAP]]: writes a date in words as YYYY-MM-DD, and with a second argument, a file
// ending in .svg or .png, which characters of the line the model looked at. Without arguments it reads lines.
#include "model.hpp"

#include <heed/plot.hpp>

#include <cstdio>
#include <iostream>

static bool translate(translator &model, const std::string &line, const char *picture) {
  const heed::result<translation> translated = model.translate(line);
  if (!translated) {
    std::fprintf(stderr, "translate: %s\n", translated.message());
    return false;
  }
  std::puts(translated->text.c_str());
  if (!picture)
    return true;
  try {
    const heed::plot::matrix weights{static_cast<std::int64_t>(translated->target.size()),
                                     static_cast<std::int64_t>(translated->source.size()),
                                     {translated->alignment.begin(), translated->alignment.end()}};
    heed::plot::write(
        heed::plot::heat_map(weights, {.source = translated->source, .target = translated->target}), picture);
    return true;
  } catch (const heed::plot::error &error) {
    std::fprintf(stderr, "translate: %s\n", error.what());
    return false;
  }
}

int main(int count, char **arguments) {
  heed::result<translator> model = translator::load(EXAMPLE_DATA);
  if (!model) {
    std::fprintf(stderr, "translate: %s\n", model.message());
    return 1;
  }
  if (count > 1)
    return translate(*model, arguments[1], count > 2 ? arguments[2] : nullptr) ? 0 : 1;
  bool right = true;
  for (std::string line; std::getline(std::cin, line);)
    right &= translate(*model, line, nullptr);
  return right ? 0 : 1;
}
