#include "Kernels/ProgramText.h"

#include "Arrays/HostTensor.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>

namespace heed::tools {

namespace {

/// Extents of the table as text and, where the symbols are known, as numbers.
class Extents {
public:
  Extents(const heed_program &program, const spec::graph &kernel, const reference::SymbolValues &values)
      : program(program) {
    for (int i = 0; i < kernel.symbol_count; ++i)
      if (values[i] >= 0)
        known[kernel.symbols[i]] = values[i];
  }

  std::optional<std::int64_t> value(int index) const {
    const heed_extent &extent = program.extents[index];
    __int128 above = extent.numerator, below = extent.denominator;
    for (int i = 0; i < extent.factor_count; ++i) {
      auto symbol = known.find(program.symbols[extent.factors[i].symbol]);
      if (symbol == known.end())
        return std::nullopt;
      for (int power = 0; power < std::abs(extent.factors[i].power); ++power)
        (extent.factors[i].power > 0 ? above : below) *= symbol->second;
    }
    if (below == 0)
      return std::nullopt;
    return static_cast<std::int64_t>((extent.round_up ? above + below - 1 : above) / below);
  }

  std::string text(int index) const {
    const heed_extent &extent = program.extents[index];
    std::string above =
        extent.numerator == 1 && extent.factor_count > 0 ? "" : std::to_string(extent.numerator);
    std::string below = extent.denominator == 1 ? "" : std::to_string(extent.denominator);
    for (int i = 0; i < extent.factor_count; ++i)
      for (int power = 0; power < std::abs(extent.factors[i].power); ++power) {
        std::string &side = extent.factors[i].power > 0 ? above : below;
        side += fmt::format("{}{}", side.empty() ? "" : "*", program.symbols[extent.factors[i].symbol]);
      }
    std::string whole = below.empty() ? above : fmt::format("{}/{}", above.empty() ? "1" : above, below);
    return extent.round_up ? fmt::format("ceil({})", whole) : whole;
  }

  /// "queries = 2048", "64"
  std::string both(int index) const {
    std::optional<std::int64_t> number = value(index);
    std::string words = text(index);
    return number && std::to_string(*number) != words ? fmt::format("{} = {}", words, *number) : words;
  }

private:
  const heed_program &program;
  std::map<std::string, std::int64_t> known;
};

std::string launchText(const heed_launch &launch, const Extents &extents) {
  std::string grid;
  for (int axis = 0; axis < launch.grid_rank; ++axis)
    grid +=
        fmt::format("{}{}{}", axis ? ", " : "", extents.both(launch.grid[axis].extent),
                    launch.grid[axis].block == 1 ? std::string()
                                                 : fmt::format(" in blocks of {}", launch.grid[axis].block));
  return fmt::format("{}: {}", launch.name, grid.empty() ? "one tile" : "tiles over " + grid);
}

/// "queries <= 8, p == 0", "otherwise"
std::string conditionText(const heed_alternative &alternative, const heed_program &program,
                          const Extents &extents) {
  std::string text;
  for (int i = 0; i < alternative.condition_count; ++i)
    text += fmt::format("{}{} <= {}", text.empty() ? "" : ", ",
                        extents.both(alternative.conditions[i].extent), alternative.conditions[i].at_most);
  if (alternative.zero_argument >= 0)
    text +=
        fmt::format("{}{} == 0", text.empty() ? "" : ", ", program.arguments[alternative.zero_argument].name);
  return text.empty() ? "otherwise" : text;
}

/// The first alternative whose conditions hold where no scalar is 0; nothing when that is not known.
std::optional<int> chosen(const heed_step &step, const Extents &extents) {
  for (int i = 0; i < step.alternative_count; ++i) {
    const heed_alternative &alternative = step.alternatives[i];
    if (alternative.zero_argument >= 0)
      continue;
    bool holds = true;
    for (int c = 0; holds && c < alternative.condition_count; ++c) {
      std::optional<std::int64_t> value = extents.value(alternative.conditions[c].extent);
      if (!value)
        return std::nullopt;
      holds = *value <= alternative.conditions[c].at_most;
    }
    if (holds)
      return i;
  }
  return std::nullopt;
}

std::string stepText(const heed_step &step, int number, const heed_program &program, const Extents &extents) {
  std::string text = fmt::format("  step {}\n", number);
  std::optional<int> runs = chosen(step, extents);
  for (int i = 0; i < step.alternative_count; ++i) {
    const heed_alternative &alternative = step.alternatives[i];
    std::string indent = "    ";
    if (step.alternative_count > 1) {
      text += fmt::format("    {}{}\n", conditionText(alternative, program, extents),
                          runs && *runs == i ? "   <- runs" : "");
      indent += "  ";
    }
    for (int launch = 0; launch < alternative.launch_count; ++launch)
      text += indent + launchText(alternative.launches[launch], extents) + "\n";
  }
  return text;
}

/// "  0 <= position <= capacity - n = 60\n"
std::string boundsText(const heed_program &program, const Extents &extents) {
  std::string text;
  for (int i = 0; i < program.bound_count; ++i) {
    const heed_bound &bound = program.bounds[i];
    std::optional<std::int64_t> whole = extents.value(bound.whole), part = extents.value(bound.part);
    text += fmt::format("  0 <= {} <= {} - {}{}\n", program.arguments[bound.argument].name,
                        extents.text(bound.whole), extents.text(bound.part),
                        whole && part ? fmt::format(" = {}", *whole - *part) : std::string());
  }
  return text;
}

std::string temporariesText(const heed_program &program, const Extents &extents) {
  if (program.temporary_count == 0)
    return "  temporaries: none\n";
  std::string text = fmt::format("  temporaries: {} in {} slot{} of the arena\n", program.temporary_count,
                                 program.slot_count, program.slot_count == 1 ? "" : "s");
  for (int i = 0; i < program.temporary_count; ++i) {
    const heed_temporary &temporary = program.temporaries[i];
    auto type = static_cast<spec::dtype>(temporary.dtype);
    std::string shape;
    double bytes = static_cast<double>(elementSize(type));
    bool known = true;
    for (int axis = 0; axis < temporary.rank; ++axis) {
      std::optional<std::int64_t> value = extents.value(temporary.extents[axis]);
      shape += (axis ? ", " : "") + extents.text(temporary.extents[axis]);
      known = known && value;
      bytes *= static_cast<double>(value.value_or(0));
    }
    text += fmt::format("    slot {}: {} ({}){}\n", temporary.slot, typeName(type), shape,
                        known ? ", " + bytesText(bytes) : "");
  }
  return text;
}

} // namespace

std::string programText(const heed_program &program, const spec::graph &kernel,
                        const reference::SymbolValues &values) {
  Extents extents(program, kernel, values);
  std::string text;
  for (int i = 0; i < program.step_count; ++i)
    text += stepText(program.steps[i], i + 1, program, extents);
  return text + boundsText(program, extents) + temporariesText(program, extents);
}

std::optional<LaunchShape> launchShape(const heed_program &program, const std::string &name,
                                       const spec::graph &kernel, const reference::SymbolValues &values) {
  Extents extents(program, kernel, values);
  for (int i = 0; i < program.step_count; ++i) {
    const heed_step &step = program.steps[i];
    std::optional<int> runs = chosen(step, extents);
    if (!runs)
      continue;
    const heed_alternative &alternative = step.alternatives[*runs];
    std::string_view launch = alternative.launches[0].name;
    if (launch != name && !launch.starts_with(name + " "))
      continue;
    // With key lists the attention itself comes second.
    bool listed = launch.ends_with(" key lists");
    const heed_launch &attention = alternative.launches[listed ? 1 : 0];
    bool parts = std::string_view(attention.name).ends_with(" part");
    return LaunchShape{attention.grid[attention.grid_rank - (parts ? 2 : 1)].block, listed};
  }
  return std::nullopt;
}

std::string bytesText(double bytes) {
  if (bytes < 1024)
    return fmt::format("{:.0f} B", bytes);
  return bytes < 1024 * 1024 ? fmt::format("{:.3g} KiB", bytes / 1024)
                             : fmt::format("{:.4g} MiB", bytes / 1024 / 1024);
}

} // namespace heed::tools
