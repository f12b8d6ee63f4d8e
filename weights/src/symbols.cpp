#include "symbols.hpp"

#include <map>

namespace heed::detail {
namespace {

__extension__ using wide = __int128;
constexpr wide largest = INT64_MAX;

/// The symbol of an extent that is nothing else; -1 for any other.
int plain_symbol(const heed_extent &extent) {
  return extent.factor_count == 1 && extent.factors[0].power == 1 && extent.numerator == 1 &&
                 extent.denominator == 1
             ? extent.factors[0].symbol
             : -1;
}

std::string extent_text(const heed_program &program, const heed_extent &extent) {
  std::string text;
  if (extent.numerator != 1 || extent.factor_count == 0 || extent.factors[0].power < 0)
    text = std::to_string(extent.numerator);
  for (int i = 0; i < extent.factor_count; ++i) {
    const auto [symbol, power] = extent.factors[i];
    for (int n = std::abs(power); n > 0; --n)
      text.append(power < 0 ? "/" : text.empty() ? "" : "*").append(program.symbols[symbol]);
  }
  return extent.denominator == 1 ? text : text + "/" + std::to_string(extent.denominator);
}

/// side · factor^|power|; more than 2^63 stays that.
wide scaled(wide side, std::int64_t factor, int power) {
  for (int n = std::abs(power); n > 0 && side <= largest; --n)
    side *= factor;
  return side;
}

} // namespace

const heed_extent &symbols::extent_of(std::int32_t argument, std::size_t axis) const {
  return program_.extents[program_.arguments[argument].extents[axis]];
}

std::optional<std::int64_t> symbols::evaluate(const heed_extent &extent) const {
  wide numerator = extent.numerator, denominator = extent.denominator;
  for (int i = 0; i < extent.factor_count; ++i) {
    const auto [symbol, power] = extent.factors[i];
    const auto &known = values_[static_cast<std::size_t>(symbol)];
    if (!known)
      return std::nullopt;
    wide &side = power > 0 ? numerator : denominator;
    side = scaled(side, known->number, power);
  }
  if (denominator == 0 || numerator > largest || (!extent.round_up && numerator % denominator != 0))
    return -1;
  return static_cast<std::int64_t>((numerator + denominator - 1) / denominator);
}

/// Solves for the one unknown of an extent. False when there is none, or another axis has to tell.
bool symbols::learn(const heed_extent &extent, std::int64_t found, std::int32_t argument) {
  wide numerator = extent.numerator, denominator = extent.denominator;
  int unknown = -1;
  for (int i = 0; i < extent.factor_count; ++i) {
    const auto [symbol, power] = extent.factors[i];
    const auto &known = values_[static_cast<std::size_t>(symbol)];
    if (!known && (unknown >= 0 || power != 1))
      return false;
    if (!known) {
      unknown = symbol;
      continue;
    }
    wide &side = power > 0 ? numerator : denominator;
    side = scaled(side, known->number, power);
  }
  if (unknown < 0 || extent.round_up || numerator == 0 || numerator > largest || denominator > largest ||
      found * denominator % numerator != 0 || found * denominator / numerator > largest)
    return false;
  values_[static_cast<std::size_t>(unknown)] = {static_cast<std::int64_t>(found * denominator / numerator),
                                                argument};
  return true;
}

symbols::symbols(const heed_program &program, std::span<const found_shape> shapes)
    : program_(program), values_(static_cast<std::size_t>(program.symbol_count)) {
  struct votes {
    int count = 0;
    std::int32_t first = 0;
  };
  std::vector<std::map<std::int64_t, votes>> candidates(values_.size());
  const auto each_axis = [&](auto function) {
    for (const auto &[argument, shape] : shapes)
      if (shape && shape->size() == program.arguments[argument].rank)
        for (std::size_t axis = 0; axis < shape->size(); ++axis)
          function(extent_of(argument, axis), (*shape)[axis], argument);
  };
  each_axis([&](const heed_extent &extent, std::int64_t found, std::int32_t argument) {
    if (const int symbol = plain_symbol(extent); symbol >= 0) {
      votes &vote = candidates[static_cast<std::size_t>(symbol)][found];
      if (vote.count++ == 0)
        vote.first = argument;
    }
  });
  for (std::size_t symbol = 0; symbol < values_.size(); ++symbol) {
    votes best;
    for (const auto &[number, vote] : candidates[symbol])
      if (vote.count > best.count || (vote.count == best.count && vote.first < best.first)) {
        best = vote;
        values_[symbol] = {number, vote.first};
      }
  }
  for (bool changed = true; changed;) {
    changed = false;
    each_axis([&](const heed_extent &extent, std::int64_t found, std::int32_t argument) {
      changed |= learn(extent, found, argument);
    });
  }
}

bool symbols::fit(std::int32_t argument, const std::vector<std::int64_t> &shape) const {
  if (shape.size() != program_.arguments[argument].rank)
    return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (const auto needed = evaluate(extent_of(argument, axis)); needed && *needed != shape[axis])
      return false;
  return true;
}

std::string symbols::shape_text(std::int32_t argument) const {
  std::string text = "(";
  for (std::size_t axis = 0; axis < program_.arguments[argument].rank; ++axis)
    text.append(axis ? "," : "").append(extent_text(program_, extent_of(argument, axis)));
  return text + ")";
}

std::string symbols::origins(std::int32_t argument) const {
  std::string text;
  std::vector<bool> told(values_.size());
  for (std::size_t axis = 0; axis < program_.arguments[argument].rank; ++axis) {
    const heed_extent &extent = extent_of(argument, axis);
    for (int i = 0; i < extent.factor_count; ++i) {
      const auto symbol = static_cast<std::size_t>(extent.factors[i].symbol);
      const std::optional<value> &known = values_[symbol];
      if (told[symbol] || !known || known->argument == argument)
        continue;
      told[symbol] = true;
      text += (text.empty() ? " as " : " and ") + std::string(program_.symbols[symbol]) + " is " +
              std::to_string(known->number) + " in " + program_.arguments[known->argument].name;
    }
  }
  return text;
}

} // namespace heed::detail
