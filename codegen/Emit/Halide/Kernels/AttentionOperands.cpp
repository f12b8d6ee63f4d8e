#include "AttentionOperands.h"

#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

AttentionOperands::AttentionOperands(const AttentionKernel &kernel)
    : kernel(kernel), q(kernel.element, 2, "q"), k(kernel.element, 2, "k"), v(kernel.element, 2, "v") {
  for (int n = 0; n < kernel.program.extents; ++n) {
    extentParams.emplace_back("extent_" + std::to_string(n));
    extents.push_back(extentParams.back());
  }
  for (size_t n = 0; n < kernel.program.captures.size(); ++n) {
    const Capture &capture = kernel.program.captures[n];
    captures.emplace_back(capture.type, 2, "capture_" + std::to_string(n));
    captures.back().dim(0).set_min(0).set_stride(capture.alongKeys ? 1 : 0);
    captures.back().dim(1).set_min(0);
    if (!capture.alongRows)
      captures.back().dim(1).set_stride(0);
  }
  for (ImageParam *operand : {&q, &k, &v})
    for (int axis : {0, 1})
      operand->dim(axis).set_min(0);
  rows = q.dim(1).extent();
  keys = k.dim(1).extent();
  depth = kernel.depth ? Expr(int32_t(*kernel.depth)) : q.dim(0).extent();
  valueDepth = kernel.valueDepth ? Expr(int32_t(*kernel.valueDepth)) : v.dim(0).extent();

  const Expr anyScore = Internal::Variable::make(Float(32), "score");
  const ScoreAndVisible result = apply(anyScore, 0, 0, elements(0, 0));
  changesScore = !Internal::equal(result.score, anyScore);
  mayHide = result.visible.defined();
  unit = float(changesScore ? log2e : 1);
  queryFactor = float(kernel.scale * (changesScore ? 1 : log2e));
}

Expr AttentionOperands::element(size_t capture, const Expr &row, const Expr &key) const {
  const Capture &axes = kernel.program.captures[capture];
  return captures[capture](axes.alongKeys ? key : 0, axes.alongRows ? row : 0);
}

std::vector<Expr> AttentionOperands::elements(const Expr &row, const Expr &key) const {
  std::vector<Expr> list;
  for (size_t n = 0; n < captures.size(); ++n)
    list.push_back(element(n, row, key));
  return list;
}

ScoreAndVisible AttentionOperands::apply(const Expr &score, const Expr &row, const Expr &keyIndex,
                                         const std::vector<Expr> &elements) const {
  if (!kernel.program.apply)
    return {score, Expr()};
  return kernel.program.apply(score, batch, head, firstQuery + row, keyIndex, elements, extents);
}

Expr AttentionOperands::score(const Expr &dot, const Expr &row, const Expr &keyIndex,
                              const std::vector<Expr> &elements, bool knownVisible) const {
  const ScoreAndVisible result = apply(dot, row, keyIndex, elements);
  // A program may make and compare infinities.
  const Expr score = changesScore ? strict_float(result.score) : dot;
  return result.visible.defined() && !knownVisible ? hideUnless(strict_float(result.visible), score) : score;
}

KeyRange AttentionOperands::visibleKeys(const Expr &count) const {
  if (!kernel.program.visibleKeys)
    return {0, count};
  const KeyRange range = kernel.program.visibleKeys(firstQuery, firstQuery + rows - 1, count, extents);
  const Expr first = clamp(range.first, 0, count);
  return {first, clamp(range.end, first, count)};
}

KeyRange AttentionOperands::fullKeys(const KeyRange &visible) const {
  const KeyRange range = kernel.program.fullKeys(firstQuery, firstQuery + rows - 1, keys, extents);
  const Expr first = clamp(range.first, visible.first, visible.end);
  return {first, clamp(range.end, first, visible.end)};
}

Expr AttentionOperands::query(const Expr &d, const Expr &row) const {
  return cast<float>(q(d, min(row, rows - 1))) * queryFactor;
}

std::vector<Argument> AttentionOperands::arguments(bool withFirstKey) const {
  std::vector<Argument> list = {batch, head, firstQuery};
  if (withFirstKey)
    list.push_back(firstKey);
  list.insert(list.end(), extentParams.begin(), extentParams.end());
  for (const ImageParam &operand : {q, k, v})
    list.push_back(operand);
  list.insert(list.end(), captures.begin(), captures.end());
  return list;
}

} // namespace heed::kernels
