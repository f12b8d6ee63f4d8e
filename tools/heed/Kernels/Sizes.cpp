#include "Kernels/Sizes.h"

#include "Arrays/IntegerRanges.h"
#include "Measure/Work.h"
#include "Support/Names.h"
#include "Support/ToolError.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <numeric>

namespace heed::tools {

namespace {

std::vector<std::string> symbolNames(const spec::graph &kernel) {
  return {kernel.symbols, kernel.symbols + kernel.symbol_count};
}

/// The product of the plain numbers by which extents with this symbol are divided.
std::int64_t divisorOf(const spec::graph &kernel, int symbol) {
  std::int64_t divisor = 1;
  for (int i = 0; i < kernel.extent_count; ++i)
    for (int j = 0; j < kernel.extents[i].factor_count; ++j)
      if (kernel.extents[i].factors[j].symbol == symbol && kernel.extents[i].factors[j].power > 0)
        divisor = std::lcm(divisor, kernel.extents[i].denominator);
  return divisor;
}

bool allWhole(const spec::graph &kernel, const SymbolValues &values) {
  for (int i = 0; i < kernel.extent_count; ++i)
    if (!reference::extentValue(kernel, i, values))
      return false;
  return true;
}

} // namespace

SymbolValues parseSizes(const spec::graph &kernel, const std::vector<std::string> &options,
                        const std::vector<const spec::graph *> &others) {
  SymbolValues values(kernel.symbol_count, -1);
  std::string errors;
  std::vector<std::string> names = symbolNames(kernel);
  for (const std::string &option : options) {
    auto [name, text] = splitAssignment("--size", option);
    auto found = std::find(names.begin(), names.end(), name);
    std::int64_t value = -1;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool belongsToOther =
        std::any_of(others.begin(), others.end(), [&, &name = name](const spec::graph *other) {
          std::vector<std::string> known = symbolNames(*other);
          return std::find(known.begin(), known.end(), name) != known.end();
        });
    if (found == names.end() && belongsToOther)
      continue;
    if (found == names.end())
      errors += names.empty() ? fmt::format("--size {}: {} has no symbolic extents\n", option, kernel.name)
                              : fmt::format("--size {}: {} has no extent '{}', only {}{}\n", option,
                                            kernel.name, name, joined(names), suggestion(name, names));
    else if (error != std::errc() || end != text.data() + text.size() || value < 0)
      errors += fmt::format("--size {}: '{}' is not a whole number >= 0\n", option, text);
    else if (std::exchange(values[found - names.begin()], value) >= 0)
      errors += fmt::format("--size {}: {} is given twice\n", option, name);
  }
  if (!errors.empty())
    throw ToolError(errors.substr(0, errors.size() - 1));
  return values;
}

void requireComplete(const spec::graph &kernel, const SymbolValues &values) {
  std::vector<std::string> missing;
  for (int i = 0; i < kernel.symbol_count; ++i)
    if (values[i] < 0)
      missing.push_back(kernel.symbols[i]);
  if (!missing.empty())
    throw ToolError(fmt::format("{}: no size for {}; add --size {}=NUMBER", kernel.name, joined(missing),
                                fmt::join(missing, "=NUMBER --size ")));
  for (int i = 0; i < kernel.extent_count; ++i)
    if (!reference::extentValue(kernel, i, values))
      throw ToolError(fmt::format("{}: extent {} is not a whole number with {}", kernel.name,
                                  reference::extentText(kernel, i), sizesText(kernel, values)));
}

SymbolValues drawSizes(const spec::graph &kernel, const SymbolValues &given, double operations,
                       std::mt19937_64 &random) {
  static constexpr std::int64_t awkward[] = {0,  1,  2,   3,   4,   5,   7,   8,   11,  13, 15,
                                             16, 17, 23,  31,  32,  33,  47,  49,  63,  64, 65,
                                             79, 97, 100, 127, 129, 191, 257, 521, 1031};
  for (int attempt = 0; attempt < 10000; ++attempt) {
    SymbolValues values = given;
    for (int symbol = 0; symbol < kernel.symbol_count; ++symbol) {
      if (values[symbol] >= 0)
        continue;
      // A limit of its own for every symbol, so that one can be large where others are small.
      std::size_t candidates = 6 + random() % (std::size(awkward) - 5);
      values[symbol] = awkward[random() % candidates];
      if (random() % 2)
        values[symbol] *= divisorOf(kernel, symbol);
    }
    if (allWhole(kernel, values) && rowsFit(kernel, values) &&
        countWork(kernel, values).elements < operations / 16 &&
        countWork(kernel, values).operations < operations)
      return values;
  }
  throw ToolError(
      fmt::format("{}: found no sizes that make every extent whole and small enough to evaluate; fix some "
                  "with --size NAME=NUMBER",
                  kernel.name));
}

std::string sizesText(const spec::graph &kernel, const SymbolValues &values) {
  std::string text;
  for (int i = 0; i < kernel.symbol_count; ++i)
    text += fmt::format("{}{}={}", i ? " " : "", kernel.symbols[i], values[i]);
  return text;
}

} // namespace heed::tools
