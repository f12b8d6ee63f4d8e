#include "Commands/PlotCommands.h"

#include "Arrays/Npy.h"
#include "Plot/Tokens.h"
#include "Support/ToolError.h"
#include "heed/plot.hpp"

#include <charconv>
#include <fmt/format.h>

namespace heed::tools {

namespace {

struct Options {
  std::string array, file, head = "mean", title, theme = "light", scale = "auto";
  std::string source, target;
  CLI::Option *sourceGiven = nullptr, *targetGiven = nullptr, *titleGiven = nullptr;
  std::int64_t batch = 0, sources = 0, targets = 0;
  bool values = false;
};

/// Weights of one batch entry: (heads, targets, sources).
struct Weights {
  std::int64_t heads, targets, sources;
  std::vector<double> values;
};

Weights readWeights(const Options &options) {
  HostTensor array = readNpy(options.array);
  if (array.shape.size() < 2 || array.shape.size() > 4)
    throw ToolError(fmt::format("{}: its shape is {}, (queries, keys), (heads, queries, keys) or (batch, "
                                "heads, queries, keys) is needed",
                                options.array, reference::shapeText(array.shape)));
  Shape shape = array.shape;
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  if (options.batch >= shape[0])
    throw ToolError(fmt::format("--batch {}: {} has {}, one of 0 to {} is needed", options.batch,
                                options.array, shape[0], shape[0] - 1));
  Weights weights{shape[1], shape[2], shape[3], {}};
  std::int64_t count = shape[1] * shape[2] * shape[3];
  for (std::int64_t i = 0; i < count; ++i)
    weights.values.push_back(static_cast<double>(array.at(options.batch * count + i)));
  return weights;
}

/// The first `targets` rows and `sources` columns, without what fills a batch up.
plot::matrix part(const plot::matrix &whole, const Options &options) {
  auto check = [&](const char *option, std::int64_t wanted, std::int64_t there) {
    if (wanted > there)
      throw ToolError(
          fmt::format("{} {}: {} has {}, at most that is needed", option, wanted, options.array, there));
  };
  check("--targets", options.targets, whole.rows);
  check("--sources", options.sources, whole.columns);
  std::int64_t rows = options.targets ? options.targets : whole.rows,
               columns = options.sources ? options.sources : whole.columns;
  plot::matrix result{rows, columns, {}};
  for (std::int64_t row = 0; row < rows; ++row) {
    auto first = whole.values.begin() + row * whole.columns;
    result.values.insert(result.values.end(), first, first + columns);
  }
  return result;
}

std::int64_t numberOf(const std::string &head, std::int64_t heads) {
  std::int64_t number = -1;
  auto [end, error] = std::from_chars(head.data(), head.data() + head.size(), number);
  if (error != std::errc() || end != head.data() + head.size() || number < 0 || number >= heads)
    throw ToolError(fmt::format("--head {}: there {} {}, one of 0 to {}, mean or grid is needed", head,
                                heads == 1 ? "is" : "are", heads, heads - 1));
  return number;
}

plot::page draw(const Weights &weights, const Options &options, const plot::heat_map_options &picture) {
  std::span<const double> values = weights.values;
  auto head = [&](std::int64_t number) {
    return part(plot::one_head(values, number, weights.targets, weights.sources), options);
  };
  if (options.head == "mean")
    return plot::heat_map(
        part(plot::mean_over_heads(values, weights.heads, weights.targets, weights.sources), options),
        picture);
  if (options.head != "grid")
    return plot::heat_map(head(numberOf(options.head, weights.heads)), picture);
  std::vector<plot::titled_matrix> panels;
  for (std::int64_t i = 0; i < weights.heads; ++i)
    panels.push_back({fmt::format("head {}", i), head(i)});
  return plot::heat_map_grid(panels, picture);
}

std::optional<plot::value_scale> scaleOf(const std::string &text) {
  if (text == "auto")
    return std::nullopt;
  plot::value_scale scale;
  const char *end = text.data() + text.size();
  auto [colon, lowError] = std::from_chars(text.data(), end, scale.low);
  bool good = lowError == std::errc() && colon != end && *colon == ':';
  if (good) {
    auto [last, highError] = std::from_chars(colon + 1, end, scale.high);
    good = highError == std::errc() && last == end;
  }
  if (!good)
    throw ToolError(fmt::format("--scale {}: auto or LOW:HIGH is needed, as in --scale 0:1", text));
  return scale;
}

void plotHeat(const Options &options) {
  plot::heat_map_options picture;
  if (*options.sourceGiven)
    picture.source = readTokens("--source", options.source);
  if (*options.targetGiven)
    picture.target = readTokens("--target", options.target);
  if (*options.titleGiven)
    picture.title = options.title;
  picture.scale = scaleOf(options.scale);
  picture.theme = options.theme == "dark" ? plot::theme::dark : plot::theme::light;
  picture.values = options.values;
  plot::write(draw(readWeights(options), options, picture), options.file);
}

} // namespace

void addPlotHeat(CLI::App &plot) {
  auto options = std::make_shared<Options>();
  CLI::App *command = plot.add_subcommand("heat", "Draw attention weights as a heat map");
  command->footer(
      "TOKENS is a file with a token in each line or a JSON array of strings, or the tokens themselves\n"
      "with commas between them; without tokens columns and rows are numbered.");
  command
      ->add_option("WEIGHTS", options->array,
                   "A .npy file: (queries, keys), (heads, queries, keys) or (batch, heads, queries, keys)")
      ->required();
  options->sourceGiven = command->add_option("--source", options->source, "TOKENS of the keys, along x");
  options->targetGiven = command->add_option("--target", options->target, "TOKENS of the queries, along y");
  command
      ->add_option("--head", options->head,
                   "A head's number; mean: of all heads; grid: all beside each other")
      ->capture_default_str();
  command->add_option("--batch", options->batch, "Entry of the batch")->check(CLI::NonNegativeNumber);
  command->add_option("--sources", options->sources, "Draw the first so many keys only, without padding")
      ->check(CLI::PositiveNumber);
  command->add_option("--targets", options->targets, "Draw the first so many queries only")
      ->check(CLI::PositiveNumber);
  options->titleGiven =
      command->add_option("--title", options->title, "Above the picture; default: Cross-Attention Weights");
  command->add_option("--theme", options->theme, "light or dark")
      ->check(CLI::IsMember({"light", "dark"}))
      ->capture_default_str();
  command
      ->add_option("--scale", options->scale,
                   "LOW:HIGH, the values of the first and the last colour, or auto")
      ->capture_default_str();
  command->add_flag("--values", options->values, "Write each cell's value into it");
  command->add_option("-o,--output", options->file, "FILE.svg or FILE.png")->required();
  command->callback([options] { orToolError([&] { plotHeat(*options); }); });
}

} // namespace heed::tools
