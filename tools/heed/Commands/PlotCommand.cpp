#include "Commands/Commands.h"
#include "Commands/PlotCommands.h"

#include "Arrays/GivenInputs.h"
#include "Kernels/FusedKernel.h"
#include "Kernels/LoadedKernel.h"
#include "Kernels/ProgramText.h"
#include "Kernels/Sizes.h"
#include "Kernels/SpecModule.h"
#include "Kernels/TileCounts.h"
#include "Reference/Evaluate.h"
#include "Support/ToolError.h"
#include "heed/plot/cells.hpp"
#include "heed/plot/tile_map.hpp"
#include "heed/plot/write.hpp"

#include <fmt/format.h>

namespace heed::tools {

namespace {

struct AttentionOptions {
  std::string spec, kernel, file, theme = "light";
  std::vector<std::string> sizes, inputs;
  std::int64_t batch = 0, head = 0;
  int attention = 1;
};

/// The n-th attention of the kernel.
ScoreChain attentionOf(const spec::graph &kernel, int number) {
  std::vector<ScoreChain> chains = scoreChains(kernel);
  if (number < 1 || number > static_cast<int>(chains.size()))
    throw ToolError(fmt::format("--attention {}: {} has {}, one of 1 to {} is needed", number, kernel.name,
                                chains.size(), chains.size()));
  return chains[number - 1];
}

/// An attention of a kernel with sizes and the inputs that are given.
struct Subject {
  Specs specs;
  const spec::graph &kernel;
  SymbolValues values;
  Inputs inputs;
  ScoreChain chain;

  explicit Subject(const AttentionOptions &options)
      : specs({options.spec}), kernel(specs.kernel(options.kernel)),
        values(parseSizes(kernel, options.sizes, {})), inputs(readInputs(kernel, {}, options.inputs)),
        chain(attentionOf(kernel, options.attention)) {
    bindInputs(kernel, inputs, values);
    requireComplete(kernel, values);
  }
};

void checkHead(const AttentionOptions &options, const Shape &shape) {
  if (options.batch >= shape[0] || options.head >= shape[1])
    throw ToolError(fmt::format("--batch {} --head {}: there are {} and {}", options.batch, options.head,
                                shape[0], shape[1]));
}

VisibleKeys visibleKeys(const Subject &subject, const AttentionOptions &options) {
  std::optional<VisibleKeys> keys =
      VisibleKeys::of(subject.kernel, subject.chain, subject.values, subject.inputs);
  if (!keys)
    throw ToolError(
        fmt::format("{}: its masks read arguments that are not given; add --in NAME=…", subject.kernel.name));
  checkHead(options, keys->shape());
  return std::move(*keys);
}

void plotMask(const AttentionOptions &options) {
  Subject subject(options);
  VisibleKeys keys = visibleKeys(subject, options);
  const Shape &shape = keys.shape();
  plot::matrix matrix{shape[2], shape[3], {}};
  for (std::int64_t q = 0; q < matrix.rows; ++q)
    for (std::uint8_t visible : keys.row(options.batch, options.head, q))
      matrix.values.push_back(visible);
  plot::draw_cells(matrix, plot::cell_palette::mask, options.file);
}

/// The scores before the softmax, where arguments that are not given are 0.
reference::Tensor evaluateScores(const Subject &subject) {
  std::vector<reference::Tensor> arguments;
  for (int index : reference::argumentNodes(subject.kernel)) {
    auto given = subject.inputs.find(index);
    arguments.push_back(given != subject.inputs.end()
                            ? toReference(given->second)
                            : reference::zeros(*reference::shapeOf(
                                  subject.kernel, subject.kernel.nodes[index], subject.values)));
  }
  int scores = subject.kernel.nodes[subject.chain.weights].operands[0];
  reference::Evaluation result = reference::evaluate(subject.kernel, arguments, std::vector{scores});
  if (!result.error.empty())
    throw ToolError(fmt::format("{}: {}", subject.kernel.name, result.error));
  return std::move(result.outputs[0]);
}

void plotScores(const AttentionOptions &options) {
  reference::Tensor scores = evaluateScores(Subject(options));
  scores.shape.insert(scores.shape.begin(), 4 - std::min<std::size_t>(scores.shape.size(), 4), 1);
  checkHead(options, scores.shape);
  plot::matrix matrix{scores.shape[2], scores.shape[3], {}};
  std::int64_t cells = matrix.rows * matrix.columns,
               first = (options.batch * scores.shape[1] + options.head) * cells;
  for (std::int64_t i = 0; i < cells; ++i)
    matrix.values.push_back(scores.elements[first + i].value);
  plot::draw_cells(plot::normalized(std::move(matrix)), plot::cell_palette::heat, options.file);
}

/// The fused attention that came of the chosen one.
const FusedSoftmax &fusedOf(const Subject &subject, const FusedKernel &fused) {
  for (const FusedSoftmax &softmax : fused.softmaxes())
    if (softmax.attention && softmax.chain && softmax.chain->weights == subject.chain.weights)
      return softmax;
  throw ToolError(fmt::format(
      "{}: this softmax is not part of a fused attention, which has tiles; `heed explain` says why",
      subject.kernel.name));
}

plot::tile pictured(TileKind kind) {
  switch (kind) {
  case TileKind::SkippedStatically:
    return plot::tile::skipped_statically;
  case TileKind::SkippedDynamically:
    return plot::tile::skipped_dynamically;
  case TileKind::WithoutMask:
    return plot::tile::full;
  case TileKind::WithMask:
    return plot::tile::partial;
  }
  return plot::tile::partial;
}

void plotTiles(const AttentionOptions &options) {
  Subject subject(options);
  VisibleKeys keys = visibleKeys(subject, options);
  FusedKernel fused(subject.kernel);
  const FusedSoftmax &softmax = fusedOf(subject, fused);
  LoadedKernel loaded(subject.kernel, withSpecs(KernelOptions(), subject.specs));
  std::optional<LaunchShape> launch =
      launchShape(loaded.program(), softmax.name, subject.kernel, subject.values);
  if (!launch)
    throw ToolError(fmt::format("{}: these sizes have no tiles", softmax.name));
  KeyBounds bounds(softmax.attention, subject.kernel, subject.values, subject.inputs);
  MaskRanges ranges = deriveMaskRanges(softmax.attention);
  Tiling tiling{bounds, ranges, launch->queryBlock, launch->listed};
  std::int64_t queries = keys.shape()[2];
  plot::tile_grid grid{0, 0, launch->queryBlock, keysPerTile, {}};
  for (std::int64_t q = 0; q < queries; q += launch->queryBlock, ++grid.rows)
    for (TileKind kind : tileRow(
             keys, tiling, {options.batch, options.head, q, std::min(q + launch->queryBlock, queries) - 1}))
      grid.tiles.push_back(pictured(kind));
  grid.columns = static_cast<std::int64_t>(grid.tiles.size()) / std::max<std::int64_t>(grid.rows, 1);
  plot::theme theme = options.theme == "dark" ? plot::theme::dark : plot::theme::light;
  plot::write(plot::tile_map(grid, softmax.name, theme), options.file);
}

void addAttention(CLI::App &plot, const char *name, const char *help, const char *inputHelp,
                  void (*draw)(const AttentionOptions &), bool themed = false) {
  auto options = std::make_shared<AttentionOptions>();
  CLI::App *command = plot.add_subcommand(name, help);
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel,
                      "The kernel; may be left out when the spec has just one");
  command->add_option("-s,--size", options->sizes, "NAME=VALUE, for every symbolic extent")->take_all();
  command->add_option("--in", options->inputs, std::string(inputOptionHelp) + inputHelp)->take_all();
  command->add_option("--attention", options->attention, "The how many-th of the kernel")
      ->capture_default_str();
  command->add_option("--batch", options->batch, "Entry of the batch")->check(CLI::NonNegativeNumber);
  command->add_option("--head", options->head, "Head")->check(CLI::NonNegativeNumber);
  if (themed)
    command->add_option("--theme", options->theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->capture_default_str();
  command->add_option("-o,--output", options->file, "FILE.svg or FILE.png")->required();
  command->callback([options, draw] { orToolError([&] { draw(*options); }); });
}

} // namespace

void addPlot(CLI::App &program) {
  CLI::App *command = program.add_subcommand("plot", "Draw masks, tiles, scores and weights");
  command->require_subcommand(1);
  addAttention(*command, "mask", "Draw which keys (across) each query (down) of an attention sees",
               "; what masks read is needed", plotMask);
  addAttention(*command, "scores",
               "Draw the scores of an attention before its softmax, light small and dark large",
               "; the others are 0", plotScores);
  addAttention(
      *command, "tiles",
      "Draw what becomes of the tiles of an attention: skipped, computed with the mask or without it",
      "; what masks read is needed", plotTiles, true);
  addPlotHeat(*command);
}

} // namespace heed::tools
