#include "Commands/Commands.h"

#include "Arrays/GivenInputs.h"
#include "Arrays/Npy.h"
#include "Kernels/Sizes.h"
#include "Kernels/SpecModule.h"
#include "Plot/MatrixPicture.h"
#include "Reference/Evaluate.h"
#include "Support/ToolError.h"

#include <fmt/format.h>

namespace heed::tools {

namespace {

struct AttentionOptions {
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

void plotMask(const AttentionOptions &options) {
  Subject subject(options);
  std::optional<VisibleKeys> keys =
      VisibleKeys::of(subject.kernel, subject.chain, subject.values, subject.inputs);
  if (!keys)
    throw ToolError(
        fmt::format("{}: its masks read arguments that are not given; add --in NAME=…", subject.kernel.name));
  const Shape &shape = keys->shape();
  checkHead(options, shape);
  Matrix matrix{shape[2], shape[3], {}};
  for (std::int64_t q = 0; q < matrix.rows; ++q)
    for (std::uint8_t visible : keys->row(options.batch, options.head, q))
      matrix.values.push_back(visible);
  drawMatrix(matrix, Palette::Mask, options.file);
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
  Matrix matrix{scores.shape[2], scores.shape[3], {}};
  std::int64_t cells = matrix.rows * matrix.columns,
               first = (options.batch * scores.shape[1] + options.head) * cells;
  for (std::int64_t i = 0; i < cells; ++i)
    matrix.values.push_back(scores.elements[first + i].value);
  drawMatrix(normalized(std::move(matrix)), Palette::Heat, options.file);
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

void addAttention(CLI::App &plot, const char *name, const char *help, const char *inputHelp,
                  void (*draw)(const AttentionOptions &)) {
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
  command->add_option("-o,--output", options->file, "FILE.svg or FILE.png")->required();
  command->callback([options, draw] { draw(*options); });
}

void addHeat(CLI::App &plot) {
  auto options = std::make_shared<HeatOptions>();
  CLI::App *command = plot.add_subcommand("heat", "Draw an array as a heat map, light small and dark large");
  command->add_option("ARRAY", options->array, "A .npy file; its last two axes are drawn")->required();
  command->add_option("--at", options->at, "Indices of the leading axes: --at BATCH HEAD")->expected(0, 8);
  command->add_option("-o,--output", options->file, "FILE.svg or FILE.png")->required();
  command->callback([options] { plotHeat(*options); });
}

} // namespace

void addPlot(CLI::App &program) {
  CLI::App *command = program.add_subcommand("plot", "Draw masks, scores and weights");
  command->require_subcommand(1);
  addAttention(*command, "mask", "Draw which keys (across) each query (down) of an attention sees",
               "; what masks read is needed", plotMask);
  addAttention(*command, "scores",
               "Draw the scores of an attention before its softmax, light small and dark large",
               "; the others are 0", plotScores);
  addHeat(*command);
}

} // namespace heed::tools
