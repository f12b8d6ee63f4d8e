#include "Commands/Commands.h"

#include "Arrays/GivenInputs.h"
#include "Arrays/Npy.h"
#include "Kernels/Sizes.h"
#include "Kernels/SpecModule.h"
#include "Plot/MatrixPicture.h"
#include "Support/ToolError.h"

#include <fmt/format.h>

namespace heed::tools {

namespace {

struct MaskOptions {
  std::string spec, kernel, file;
  std::vector<std::string> sizes, inputs;
  std::int64_t batch = 0, head = 0;
  int attention = 1;
};

struct HeatOptions {
  std::string array, file;
  std::vector<std::int64_t> at;
};

/// The n-th attention of the kernel.
ScoreChain attentionOf(const spec::graph &kernel, int number) {
  std::vector<ScoreChain> chains = scoreChains(kernel);
  if (number < 1 || number > static_cast<int>(chains.size()))
    throw ToolError(fmt::format("--attention {}: {} has {}, one of 1 to {} is needed", number, kernel.name,
                                chains.size(), chains.size()));
  return chains[number - 1];
}

void plotMask(const MaskOptions &options) {
  Specs specs({options.spec});
  const spec::graph &kernel = specs.kernel(options.kernel);
  SymbolValues values = parseSizes(kernel, options.sizes, {});
  Inputs inputs = readInputs(kernel, {}, options.inputs);
  bindInputs(kernel, inputs, values);
  requireComplete(kernel, values);
  std::optional<VisibleKeys> keys =
      VisibleKeys::of(kernel, attentionOf(kernel, options.attention), values, inputs);
  if (!keys)
    throw ToolError(
        fmt::format("{}: its masks read arguments that are not given; add --in NAME=…", kernel.name));
  const Shape &shape = keys->shape();
  if (options.batch >= shape[0] || options.head >= shape[1])
    throw ToolError(fmt::format("--batch {} --head {}: {} has {} and {} of them", options.batch, options.head,
                                kernel.name, shape[0], shape[1]));
  Matrix matrix{shape[2], shape[3], {}};
  for (std::int64_t q = 0; q < matrix.rows; ++q)
    for (std::uint8_t visible : keys->row(options.batch, options.head, q))
      matrix.values.push_back(visible);
  drawMatrix(matrix, Palette::Mask, options.file);
}

void plotHeat(const HeatOptions &options) {
  HostTensor array = readNpy(options.array);
  if (array.shape.size() != options.at.size() + 2)
    throw ToolError(fmt::format(
        "{}: has shape {}, {} ind{} of leading axes given, {} needed; add --at", options.array,
        reference::shapeText(array.shape), options.at.size(), options.at.size() == 1 ? "ex" : "ices",
        std::max<std::int64_t>(0, static_cast<std::int64_t>(array.shape.size()) - 2)));
  std::int64_t first = 0;
  for (std::size_t axis = 0; axis < options.at.size(); ++axis) {
    if (options.at[axis] < 0 || options.at[axis] >= array.shape[axis])
      throw ToolError(fmt::format("--at {}: axis {} of {} has {}", options.at[axis], axis, options.array,
                                  array.shape[axis]));
    first = first * array.shape[axis] + options.at[axis];
  }
  Matrix matrix{array.shape[array.shape.size() - 2], array.shape.back(), {}};
  std::int64_t cells = matrix.rows * matrix.columns;
  for (std::int64_t i = 0; i < cells; ++i)
    matrix.values.push_back(static_cast<double>(array.at(first * cells + i)));
  drawMatrix(normalized(std::move(matrix)), Palette::Heat, options.file);
}

void addMask(CLI::App &plot) {
  auto options = std::make_shared<MaskOptions>();
  CLI::App *command =
      plot.add_subcommand("mask", "Draw which keys (across) each query (down) of an attention sees");
  command->add_option("SPEC", options->spec, "A .cpp file or a module built from one")->required();
  command->add_option("-k,--kernel", options->kernel,
                      "The kernel; may be left out when the spec has just one");
  command->add_option("-s,--size", options->sizes, "NAME=VALUE, for every symbolic extent")->take_all();
  command->add_option("--in", options->inputs, std::string(inputOptionHelp) + "; what masks read is needed")
      ->take_all();
  command->add_option("--attention", options->attention, "The how many-th of the kernel")
      ->capture_default_str();
  command->add_option("--batch", options->batch, "Entry of the batch")->check(CLI::NonNegativeNumber);
  command->add_option("--head", options->head, "Head")->check(CLI::NonNegativeNumber);
  command->add_option("-o,--output", options->file, "FILE.svg or FILE.png")->required();
  command->callback([options] { plotMask(*options); });
}

void addHeat(CLI::App &plot) {
  auto options = std::make_shared<HeatOptions>();
  CLI::App *command =
      plot.add_subcommand("heat", "Draw scores or weights as a heat map, light small and dark large");
  command->add_option("ARRAY", options->array, "A .npy file; its last two axes are drawn")->required();
  command->add_option("--at", options->at, "Indices of the leading axes: --at BATCH HEAD")->expected(0, 8);
  command->add_option("-o,--output", options->file, "FILE.svg or FILE.png")->required();
  command->callback([options] { plotHeat(*options); });
}

} // namespace

void addPlot(CLI::App &program) {
  CLI::App *command = program.add_subcommand("plot", "Draw masks, scores and weights");
  command->require_subcommand(1);
  addMask(*command);
  addHeat(*command);
}

} // namespace heed::tools
