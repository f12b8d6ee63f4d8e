#include "AttentionOperands.h"

#include "Numerics.h"
#include "Table.h"
#include "VectorMath.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// An operand with the type of its elements, as which it may not be read.
Argument argumentOf(const ImageParam &operand, const Type &element) {
  return Argument(operand.name(), Argument::InputBuffer, element, operand.dimensions(), {});
}

ImageParam captured(const Capture &capture, const std::string &name) {
  ImageParam operand(capture.type, capture.tableRank < 0 ? 2 : capture.tableRank, name);
  for (int axis = 0; axis < operand.dimensions(); ++axis)
    operand.dim(axis).set_min(0);
  if (capture.tableRank > 0)
    operand.dim(0).set_stride(Expr());
  if (capture.tableRank < 0) {
    operand.dim(0).set_stride(capture.alongKeys ? 1 : 0);
    if (!capture.alongRows)
      operand.dim(1).set_stride(0);
  }
  return operand;
}

} // namespace

AttentionOperands::AttentionOperands(const AttentionKernel &kernel, bool isMatrix, bool dotsBf16)
    : kernel(kernel), accumulator(accumulatorOf(kernel.types.q)),
      dotsScores(dotsBf16 && !kernel.statistics && kernel.types.q == BFloat(16) &&
                 kernel.types.k == BFloat(16)),
      dotsValues(dotsBf16 && kernel.hasValue && kernel.types.v == BFloat(16) &&
                 kernel.types.output == BFloat(16)),
      q(dotsScores ? UInt(16) : kernel.types.q, 2, "q"), k(dotsScores ? UInt(16) : kernel.types.k, 2, "k"),
      v(dotsValues ? UInt(16) : kernel.types.v, 2, "v"), sink(kernel.types.sink, 1, "sink"),
      list(Int(32), 1, "list"), counts(Int(32), 1, "counts"), pairs(UInt(32), 3, "pairs") {
  for (int n = 0; n < kernel.program.extents; ++n) {
    extentParams.emplace_back("extent_" + std::to_string(n));
    extents.push_back(extentParams.back());
  }
  for (const Capture &capture : kernel.program.captures)
    captures.push_back(captured(capture, "capture_" + std::to_string(captures.size())));
  for (ImageParam *operand : {&q, &k, &v, &sink, &list, &counts, &pairs})
    for (int axis = 0; axis < operand->dimensions(); ++axis)
      operand->dim(axis).set_min(0);
  sink.dim(0).set_stride(Expr());
  pairs.dim(1).set_stride(pairColumns);
  rows = q.dim(1).extent();
  keys = k.dim(1).extent();
  depth = kernel.depth ? Expr(int32_t(*kernel.depth)) : q.dim(0).extent();
  valueDepth = kernel.valueDepth ? Expr(int32_t(*kernel.valueDepth)) : v.dim(0).extent();

  static_cast<ScoreProgramUse &>(*this) = useOfProgram(
      kernel, isMatrix, [this](const Expr &anyScore) { return apply(anyScore, 0, 0, elementsAt(0, 0)); });
}

ElementAt AttentionOperands::elementsAt(const Expr &row, const Expr &key) const {
  return [this, row, key](size_t number, const std::vector<Expr> &indices) -> Expr {
    const Capture &capture = kernel.program.captures[number];
    const ImageParam &operand = captures[number];
    if (capture.tableRank >= 0)
      return tableElement(operand, indices);
    return operand(capture.alongKeys ? key : 0, capture.alongRows ? row : 0);
  };
}

ElementAt AttentionOperands::elementsOfTile() const { return elementsOfRanges(elementsAt(0, 0)); }

ScorePosition AttentionOperands::position(const Expr &row, const Expr &keyIndex) const {
  const Expr queryHead = kernel.grouped ? head * members + member : Expr(head);
  if (kernel.memberRows)
    return {batch, queryHead + row, firstQuery, keyIndex};
  return {batch, queryHead, firstQuery + row, keyIndex};
}

ScoreAndVisible AttentionOperands::apply(const Expr &score, const Expr &row, const Expr &keyIndex,
                                         const ElementAt &element) const {
  if (!kernel.program.apply)
    return {score, Expr()};
  return kernel.program.apply(score, position(row, keyIndex), element, extents);
}

Expr AttentionOperands::score(const Expr &dot, const Expr &row, const Expr &keyIndex,
                              const ElementAt &element, bool knownVisible) const {
  const ScoreAndVisible result = apply(dot, row, keyIndex, element);
  // A program may make and compare infinities.
  const Expr score = changesScore ? useVectorMath(strict_float(result.score)) : dot;
  return result.visible.defined() && !knownVisible
             ? hideUnless(useVectorMath(strict_float(result.visible)), score)
             : score;
}

Expr AttentionOperands::visible(const Expr &row, const Expr &keyIndex, const ElementAt &element) const {
  const ScoreAndVisible result = apply(number(accumulator, 0), row, keyIndex, element);
  return result.visible.defined() ? useVectorMath(strict_float(result.visible)) : Expr();
}

Expr AttentionOperands::weighed(const Expr &weight, const Expr &row, const Expr &keyIndex,
                                const ElementAt &element) const {
  return useVectorMath(strict_float(kernel.program.weigh(weight, position(row, keyIndex), element, extents)));
}

Expr AttentionOperands::lastQuery() const {
  return kernel.memberRows ? Expr(firstQuery) : firstQuery + rows - 1;
}

KeyRange AttentionOperands::visibleKeys(const Expr &count) const {
  return visibleKeys(count, firstQuery, lastQuery());
}

KeyRange AttentionOperands::visibleKeys(const Expr &count, const Expr &first, const Expr &last) const {
  if (!kernel.program.visibleKeys)
    return {0, count};
  return rangeWithin(kernel.program.visibleKeys(first, last, count, elementsOfTile(), extents), {0, count});
}

KeyRange AttentionOperands::fullKeys(const KeyRange &visible) const {
  return rangeWithin(kernel.program.fullKeys(firstQuery, lastQuery(), keys, elementsOfTile(), extents),
                     visible);
}

Expr AttentionOperands::query(const Expr &d, const Expr &row) const {
  return widened(q(d, min(row, rows - 1))) * queryFactor;
}

Expr AttentionOperands::key(const Expr &d, const Expr &key) const {
  return widened(dotsScores ? reinterpret(BFloat(16), k(d, key)) : k(d, key));
}

Expr AttentionOperands::value(const Expr &column, const Expr &key) const {
  return widened(dotsValues ? reinterpret(BFloat(16), v(column, key)) : v(column, key));
}

Expr AttentionOperands::queryPair(const Expr &pair, const Expr &row) const {
  const Expr known = min(row, rows - 1), second = 2 * pair + 1;
  if (kernel.depth && *kernel.depth % 2 == 0)
    return concat_bits({q(2 * pair, known), q(second, known)});
  const Expr orLast = q(min(likely(second), depth - 1), known);
  return concat_bits({q(2 * pair, known), select(likely(second < depth), orLast, cast<uint16_t>(0))});
}

Expr AttentionOperands::keyPair(const Expr &pair, const Expr &key) const {
  return concat_bits({k(2 * pair, key), k(2 * pair + 1, key)});
}

std::vector<Argument> AttentionOperands::headArguments() const {
  if (kernel.grouped)
    return {batch, head, member, members};
  return {batch, head};
}

std::vector<Argument> AttentionOperands::scalarArguments(bool withFirstKey) const {
  std::vector<Argument> arguments = headArguments();
  arguments.push_back(firstQuery);
  if (withFirstKey)
    arguments.push_back(firstKey);
  arguments.insert(arguments.end(), extentParams.begin(), extentParams.end());
  return arguments;
}

void AttentionOperands::appendCaptures(std::vector<Argument> &arguments) const {
  arguments.insert(arguments.end(), captures.begin(), captures.end());
}

std::vector<Argument> AttentionOperands::arguments(bool withFirstKey) const {
  std::vector<Argument> arguments = scalarArguments(withFirstKey);
  arguments.push_back(argumentOf(q, kernel.types.q));
  arguments.push_back(argumentOf(k, kernel.types.k));
  if (kernel.hasValue)
    arguments.push_back(argumentOf(v, kernel.types.v));
  appendCaptures(arguments);
  return arguments;
}

} // namespace heed::kernels
