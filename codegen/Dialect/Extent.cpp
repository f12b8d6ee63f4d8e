//===- Extent.cpp - Extents of axes ---------------------------------------===//

#include "Dialect/Heed.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <numeric>

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// A product being built, in any order.
struct Product {
  int64_t numerator = 1, denominator = 1;
  SmallVector<std::pair<StringAttr, int64_t>> factors;

  void multiply(ExtentAttr extent, int64_t sign) {
    numerator *= sign > 0 ? extent.getNumerator() : extent.getDenominator();
    denominator *= sign > 0 ? extent.getDenominator() : extent.getNumerator();
    for (auto [symbol, power] : llvm::zip_equal(extent.getSymbols(), extent.getPowers()))
      multiply(symbol, sign * power);
  }

  void multiply(StringAttr symbol, int64_t power) {
    for (auto &[known, sum] : factors)
      if (known == symbol) {
        sum += power;
        return;
      }
    factors.emplace_back(symbol, power);
  }

  /// The one representation: reduced fraction, symbols sorted by name, no zero powers.
  ExtentAttr get(MLIRContext *context) {
    int64_t divisor = std::max<int64_t>(1, std::gcd(numerator, denominator));
    llvm::sort(factors, [](auto &a, auto &b) { return a.first.strref() < b.first.strref(); });
    SmallVector<StringAttr> symbols;
    SmallVector<int64_t> powers;
    for (auto [symbol, power] : factors)
      if (power != 0) {
        symbols.push_back(symbol);
        powers.push_back(power);
      }
    return ExtentAttr::get(context, numerator / divisor, denominator / divisor, symbols, powers);
  }
};

/// An identifier as it is, any other name in quotes.
void printSymbol(StringRef symbol, llvm::raw_ostream &os) {
  bool isIdentifier = !symbol.empty() && !llvm::isDigit(symbol.front()) &&
                      llvm::all_of(symbol, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (isIdentifier)
    os << symbol;
  else
    os << '"', llvm::printEscapedString(symbol, os), os << '"';
}

} // namespace

ExtentAttr ExtentAttr::get(MLIRContext *context, int64_t number) {
  return get(context, number, 1, ArrayRef<StringAttr>(), ArrayRef<int64_t>());
}

ExtentAttr ExtentAttr::get(MLIRContext *context, StringRef symbol) {
  return get(context, 1, 1, StringAttr::get(context, symbol), int64_t(1));
}

LogicalResult ExtentAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t numerator,
                                 int64_t denominator, ArrayRef<StringAttr> symbols,
                                 ArrayRef<int64_t> powers) {
  if (numerator < 0 || denominator <= 0)
    return emitError() << "extent: " << numerator << "/" << denominator
                       << ", needed a numerator of at least 0 and a positive denominator";
  if (symbols.size() != powers.size())
    return emitError() << "extent: " << symbols.size() << " symbols and " << powers.size()
                       << " powers, needed one power per symbol";
  return success();
}

int64_t ExtentAttr::getValue() const {
  assert(isStatic() && "an extent with symbols has no value at compile time");
  return getNumerator();
}

ExtentAttr ExtentAttr::multiply(ExtentAttr other) const {
  Product product;
  product.multiply(*this, 1);
  product.multiply(other, 1);
  return product.get(getContext());
}

ExtentAttr ExtentAttr::divide(ExtentAttr other) const {
  Product product;
  product.multiply(*this, 1);
  product.multiply(other, -1);
  return product.get(getContext());
}

void ExtentAttr::printText(llvm::raw_ostream &os) const {
  bool first = true;
  auto separate = [&] {
    if (!first)
      os << '*';
    first = false;
  };
  auto factors = llvm::zip_equal(getSymbols(), getPowers());
  bool hasPositive = llvm::any_of(getPowers(), [](int64_t power) { return power > 0; });
  if (getNumerator() != 1 || !hasPositive) {
    separate();
    os << getNumerator();
  }
  for (auto [symbol, power] : factors)
    for (int64_t i = 0; i < power; ++i) {
      separate();
      printSymbol(symbol, os);
    }
  for (auto [symbol, power] : factors)
    for (int64_t i = 0; i < -power; ++i) {
      os << '/';
      printSymbol(symbol, os);
    }
  if (getDenominator() != 1)
    os << '/' << getDenominator();
}

std::string ExtentAttr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(os);
  return text;
}

ExtentAttr ExtentAttr::parseText(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  Product product;
  int64_t sign = 1;
  while (true) {
    int64_t number;
    std::string symbol;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      if (failed(*parsed))
        return {};
      (sign > 0 ? product.numerator : product.denominator) *= number;
    } else {
      if (failed(parser.parseKeywordOrString(&symbol)))
        return {};
      product.multiply(StringAttr::get(parser.getContext(), symbol), sign);
    }
    if (succeeded(parser.parseOptionalStar()))
      sign = 1;
    else if (succeeded(parser.parseOptionalSlash()))
      sign = -1;
    else
      break;
  }
  if (product.numerator < 0 || product.denominator <= 0) {
    parser.emitError(start) << "extent: " << product.numerator << "/" << product.denominator
                            << ", needed a numerator of at least 0 and a positive denominator";
    return {};
  }
  return product.get(parser.getContext());
}

void ExtentAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printText(printer.getStream());
  printer << '>';
}

Attribute ExtentAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  ExtentAttr extent = parseText(parser);
  if (!extent || parser.parseGreater())
    return {};
  return extent;
}
