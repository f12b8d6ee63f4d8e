#include "extents.hpp"

#include "checked.hpp"

#include <string_view>

namespace heed::runtime {
namespace {

bool is_symbol(const heed_extent &extent) noexcept {
  return extent.factor_count == 1 && extent.factors[0].power == 1 && extent.numerator == 1 &&
         extent.denominator == 1;
}

/// numerator / denominator of an extent under the symbols known so far.
struct fraction {
  std::int64_t numerator, denominator;
  int unknown_symbol = -1; ///< left out of the product; -1 when there is none
  bool solvable = true;    ///< at most one unknown, and that with power 1
};

fraction product(const heed_extent &extent, const std::int64_t *symbols) noexcept {
  fraction result{extent.numerator, extent.denominator};
  for (int i = 0; i < extent.factor_count; ++i) {
    const auto [symbol, power] = extent.factors[i];
    if (symbols[symbol] == unknown) {
      result.solvable &= result.unknown_symbol < 0 && power == 1;
      result.unknown_symbol = symbol;
      continue;
    }
    std::int64_t &side = power > 0 ? result.numerator : result.denominator;
    for (int n = power > 0 ? power : -power; n > 0; --n)
      side = multiply(side, symbols[symbol]);
  }
  return result;
}

heed_code report_inexact(const sizes &sizes, const heed_extent &extent, const fraction &value,
                         heed_status *status) noexcept {
  sentence text = fail(status, HEED_INVALID_ARGUMENT);
  text << sizes.program.name << ": ";
  write_extent(text, sizes.program, extent) << " is " << value.numerator << "/" << value.denominator;
  for (int i = 0; i < extent.factor_count; ++i)
    text << (i ? ", " : " (") << sizes.program.symbols[extent.factors[i].symbol] << " is "
         << sizes.symbols[extent.factors[i].symbol];
  return text << (extent.factor_count ? ")" : "")
              << ", a whole number is needed; pass tensors whose sizes divide";
}

heed_code evaluate(sizes &sizes, heed_status *status) noexcept {
  for (int i = 0; i < sizes.program.extent_count; ++i) {
    const heed_extent &extent = sizes.program.extents[i];
    if (is_symbol(extent)) {
      sizes.values[i] = sizes.symbols[extent.factors[0].symbol];
      continue;
    }
    const fraction value = product(extent, sizes.symbols);
    if (value.denominator == 1 || value.numerator == too_large) {
      sizes.values[i] = value.numerator;
      continue;
    }
    if (value.denominator == 0 || (!extent.round_up && value.numerator % value.denominator != 0))
      return report_inexact(sizes, extent, value, status);
    sizes.values[i] = ceil_divide(value.numerator, value.denominator);
  }
  return HEED_OK;
}

/// Solves `found = numerator · symbol / denominator`. False when another argument has to tell.
bool solve(const fraction &value, std::int64_t found, std::int64_t &symbol) noexcept {
  if (value.numerator == 0 || value.numerator == too_large)
    return false;
  const std::int64_t scaled = multiply(found, value.denominator);
  if (scaled == too_large || scaled % value.numerator != 0)
    return false;
  symbol = scaled / value.numerator;
  return true;
}

void bind_bare_symbols(sizes &sizes, const heed_view *views) noexcept {
  const heed_program &program = sizes.program;
  for (int a = 0; a < program.argument_count; ++a)
    for (int axis = 0; axis < program.arguments[a].rank; ++axis) {
      const heed_extent &extent = program.extents[program.arguments[a].extents[axis]];
      if (!is_symbol(extent) || sizes.symbols[extent.factors[0].symbol] != unknown)
        continue;
      sizes.symbols[extent.factors[0].symbol] = views[a].extents[axis];
      sizes.origin[extent.factors[0].symbol] = static_cast<std::int16_t>(a);
    }
}

/// One pass over all axes with a single unknown. True when it found something.
bool solve_axes(sizes &sizes, const heed_view *views) noexcept {
  const heed_program &program = sizes.program;
  bool found = false;
  for (int a = 0; a < program.argument_count; ++a)
    for (int axis = 0; axis < program.arguments[a].rank; ++axis) {
      const heed_extent &extent = program.extents[program.arguments[a].extents[axis]];
      const fraction value = product(extent, sizes.symbols);
      const int symbol = value.unknown_symbol;
      if (symbol < 0 || !value.solvable || extent.round_up ||
          !solve(value, views[a].extents[axis], sizes.symbols[symbol]))
        continue;
      sizes.origin[symbol] = static_cast<std::int16_t>(a);
      found = true;
    }
  return found;
}

int first_unknown(const sizes &sizes) noexcept {
  for (int s = 0; s < sizes.program.symbol_count; ++s)
    if (sizes.symbols[s] == unknown)
      return s;
  return -1;
}

/// A symbol stayed unknown: because a division left a remainder, or because no axis determines it.
heed_code report_unknown(const sizes &sizes, const heed_view *views, int symbol,
                         heed_status *status) noexcept {
  const heed_program &program = sizes.program;
  const std::string_view name = program.symbols[symbol];
  for (int a = 0; a < program.argument_count; ++a)
    for (int axis = 0; axis < program.arguments[a].rank; ++axis) {
      const heed_extent &extent = program.extents[program.arguments[a].extents[axis]];
      const fraction value = product(extent, sizes.symbols);
      if (value.unknown_symbol != symbol || !value.solvable || value.numerator == 0)
        continue;
      sentence text = fail(status, HEED_INVALID_ARGUMENT);
      text << program.arguments[a].name << ": axis " << axis << " (";
      write_extent(text, program, extent) << ") is " << views[a].extents[axis] << ", ";
      return text << "a multiple of " << value.numerator << " is needed; pass a tensor whose axis " << axis
                  << " gives a whole " << name;
    }
  return fail(status, HEED_INVALID_ARGUMENT)
         << program.name << ": no argument tells how large " << name
         << " is, an axis with only that unknown is needed; pass tensors whose other sizes are not zero";
}

heed_code report_extent(const sizes &sizes, const heed_view *views, int argument, int axis,
                        heed_status *status) noexcept {
  const heed_program &program = sizes.program;
  const int number = program.arguments[argument].extents[axis];
  const heed_extent &extent = program.extents[number];
  sentence text = fail(status, HEED_INVALID_ARGUMENT);
  text << program.arguments[argument].name << ": axis " << axis;
  if (extent.factor_count == 0)
    return text << " is " << views[argument].extents[axis] << ", " << sizes.values[number]
                << " is needed; pass a tensor whose axis " << axis << " is " << sizes.values[number];
  write_extent(text << " (", program, extent) << ") is " << views[argument].extents[axis] << ", ";
  if (is_symbol(extent)) {
    const int symbol = extent.factors[0].symbol;
    const std::string_view name = program.symbols[symbol];
    return text << program.arguments[sizes.origin[symbol]].name << " says " << name << " is "
                << sizes.symbols[symbol] << "; pass tensors whose " << name << " agree";
  }
  text << sizes.values[number] << " is needed because";
  for (int i = 0; i < extent.factor_count; ++i) {
    const int symbol = extent.factors[i].symbol;
    text << (i ? ", " : " ") << program.arguments[sizes.origin[symbol]].name << " says "
         << program.symbols[symbol] << " is " << sizes.symbols[symbol];
  }
  return text << "; pass tensors whose sizes agree";
}

} // namespace

sentence &write_extent(sentence &text, const heed_program &program, const heed_extent &extent) noexcept {
  const bool ceiling = extent.round_up && extent.denominator != 1;
  if (ceiling)
    text << "ceil(";
  bool first = true;
  if (extent.numerator != 1 || extent.factor_count == 0 || extent.factors[0].power < 0) {
    text << extent.numerator;
    first = false;
  }
  for (int i = 0; i < extent.factor_count; ++i) {
    const auto [symbol, power] = extent.factors[i];
    for (int n = power > 0 ? power : -power; n > 0; --n, first = false)
      text << (power < 0 ? "/" : first ? "" : "*") << program.symbols[symbol];
  }
  if (extent.denominator != 1)
    text << "/" << extent.denominator;
  return ceiling ? text << ")" : text;
}

heed_code bind_sizes(sizes &sizes, const heed_view *views, heed_status *status) noexcept {
  const heed_program &program = sizes.program;
  for (int s = 0; s < program.symbol_count; ++s)
    sizes.symbols[s] = unknown;
  bind_bare_symbols(sizes, views);
  if (first_unknown(sizes) >= 0) {
    while (solve_axes(sizes, views)) {
    }
    if (const int symbol = first_unknown(sizes); symbol >= 0)
      return report_unknown(sizes, views, symbol, status);
  }
  if (const heed_code code = evaluate(sizes, status))
    return code;
  for (int a = 0; a < program.argument_count; ++a)
    for (int axis = 0; axis < program.arguments[a].rank; ++axis)
      if (sizes.values[program.arguments[a].extents[axis]] != views[a].extents[axis])
        return report_extent(sizes, views, a, axis, status);
  return HEED_OK;
}

} // namespace heed::runtime
