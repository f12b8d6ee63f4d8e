//===- Program.cpp - What a generated library holds, as values ------------===//

#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cassert>
#include <numeric>

namespace heed::program {

Extent Extent::number(int64_t value) {
  Extent extent;
  extent.numerator = value;
  return extent;
}

std::optional<int64_t> Extent::constant() const {
  if (!factors.empty())
    return std::nullopt;
  return roundUp ? (numerator + denominator - 1) / denominator : numerator / denominator;
}

Extent Extent::operator*(const Extent &other) const {
  assert(!roundUp && !other.roundUp && "a rounded extent is not a product");
  Extent result = *this;
  result.numerator *= other.numerator;
  result.denominator *= other.denominator;
  if (int64_t common = std::gcd(result.numerator, result.denominator); common > 1) {
    result.numerator /= common;
    result.denominator /= common;
  }
  for (const Factor &factor : other.factors) {
    auto *same = llvm::find_if(result.factors, [&](const Factor &f) { return f.symbol == factor.symbol; });
    if (same == result.factors.end())
      result.factors.push_back(factor);
    else
      same->power += factor.power;
  }
  llvm::erase_if(result.factors, [](const Factor &f) { return f.power == 0; });
  llvm::sort(result.factors, [](const Factor &a, const Factor &b) { return a.symbol < b.symbol; });
  return result;
}

Extent Extent::ceilDivide(int64_t divisor) const {
  if (divisor == 1)
    return *this;
  if (std::optional<int64_t> value = constant())
    return number((*value + divisor - 1) / divisor);
  Extent result = *this;
  int64_t common = std::gcd(result.numerator, divisor);
  result.numerator /= common;
  result.denominator *= divisor / common;
  result.roundUp = result.denominator != 1;
  return result;
}

unsigned Program::symbol(llvm::StringRef name) {
  auto found = llvm::find(symbols, name);
  if (found != symbols.end())
    return found - symbols.begin();
  symbols.push_back(name.str());
  return symbols.size() - 1;
}

unsigned Program::extent(const Extent &extent) {
  auto found = llvm::find(extents, extent);
  if (found != extents.end())
    return found - extents.begin();
  extents.push_back(extent);
  return extents.size() - 1;
}

unsigned Program::product(llvm::ArrayRef<unsigned> factors) {
  Extent result;
  for (unsigned factor : factors)
    result = result * extents[factor];
  return extent(result);
}

unsigned Program::addTemporary(heed_dtype dtype, llvm::ArrayRef<unsigned> extents) {
  temporaries.push_back({dtype, llvm::SmallVector<unsigned>(extents), 0});
  return arguments.size() + temporaries.size() - 1;
}

llvm::ArrayRef<unsigned> Program::bufferExtents(unsigned buffer) const {
  if (buffer < arguments.size())
    return arguments[buffer].extents;
  return temporaries[buffer - arguments.size()].extents;
}

heed_dtype Program::bufferType(unsigned buffer) const {
  return buffer < arguments.size() ? arguments[buffer].dtype : temporaries[buffer - arguments.size()].dtype;
}

std::string Program::text(unsigned index) const {
  const Extent &extent = extents[index];
  std::string over, under;
  auto multiply = [](std::string &text, const std::string &factor) {
    text += (text.empty() ? "" : "*") + factor;
  };
  if (extent.numerator != 1 || extent.factors.empty())
    multiply(over, std::to_string(extent.numerator));
  if (extent.denominator != 1)
    multiply(under, std::to_string(extent.denominator));
  for (const Extent::Factor &factor : extent.factors)
    for (int i = 0; i < std::abs(factor.power); ++i)
      multiply(factor.power > 0 ? over : under, symbols[factor.symbol]);
  if (under.empty())
    return over;
  if (over.empty())
    over = "1";
  if (under.find('*') != std::string::npos)
    under = "(" + under + ")";
  return extent.roundUp ? "ceil(" + over + "/" + under + ")" : over + "/" + under;
}

void assignSlots(Program &program) {
  struct Lifetime {
    int first = -1, last = -1;
  };
  std::vector<Lifetime> lifetimes(program.temporaries.size());
  for (auto [number, step] : llvm::enumerate(program.steps))
    for (const Alternative &alternative : step.alternatives)
      for (const Launch &launch : alternative.launches)
        for (const Operand &operand : launch.operands) {
          if (operand.buffer < program.arguments.size())
            continue;
          Lifetime &lifetime = lifetimes[operand.buffer - program.arguments.size()];
          if (lifetime.first < 0)
            lifetime.first = number;
          lifetime.last = number;
        }

  // First fit in the order of first use needs the fewest slots.
  std::vector<unsigned> order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0u);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return lifetimes[a].first < lifetimes[b].first; });
  std::vector<int> freeAfter; // per slot: the last step that uses it
  for (unsigned i : order) {
    auto slot = llvm::find_if(freeAfter, [&](int last) { return last < lifetimes[i].first; });
    if (slot == freeAfter.end())
      slot = freeAfter.insert(slot, -1);
    *slot = lifetimes[i].last;
    program.temporaries[i].slot = slot - freeAfter.begin();
  }
  program.slots = freeAfter.size();
}

llvm::StringRef name(heed_dtype type) {
  static constexpr const char *names[] = {"b8", "i32", "i64", "f16", "bf16", "f32", "f64"};
  return names[type];
}

} // namespace heed::program
