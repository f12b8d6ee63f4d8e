#include "DeviceAttentionOperands.h"

#include "DeviceMath.h"
#include "Numerics.h"
#include "Table.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// The last of `count` places, 0 if there is none.
Expr lastOf(const Expr &count) { return max(count - 1, 0); }

/// Blocks of rows follow what the rows lie in: blocks of members come before queries.
template <class T> void insertRowBlock(std::vector<T> &place, const T &block, bool rowsAreMembers) {
  place.insert(place.end() - (rowsAreMembers ? 1 : 0), block);
}

} // namespace

DeviceAttentionOperands::DeviceAttentionOperands(const AttentionKernel &kernel, bool isMatrix, bool cutsKeys)
    : kernel(kernel), accumulator(accumulatorOf(kernel.types.q)), headRank(kernel.grouped ? 3 : 2),
      gridRank(headRank + (isMatrix || cutsKeys ? 2 : 1)), q(kernel.types.q, 2, gridRank, "q"),
      k(kernel.types.k, 2, gridRank, "k"), v(kernel.types.v, 2, gridRank, "v"),
      sink(kernel.types.sink, 1, gridRank, "sink"), list(Int(32), 1, gridRank, "list"),
      counts(Int(32), 1, gridRank, "counts") {
  for (int n = 0; n < kernel.program.extents; ++n) {
    extentParams.emplace_back("extent_" + std::to_string(n));
    extents.push_back(extentParams.back());
  }
  for (const Capture &capture : kernel.program.captures)
    captures.emplace_back(capture.type, capture.tableRank < 0 ? 2 : capture.tableRank, gridRank,
                          "capture_" + std::to_string(captures.size()));
  for (DeviceOperand *operand : {&q, &k, &v})
    operand->image.dim(0).set_stride(1);
  rows = q.extent(1);
  members = kernel.memberRows ? rows : kernel.grouped ? q.image.dim(2 + 2).extent() : Expr(1);
  keys = k.extent(1);
  depth = kernel.depth ? Expr(int32_t(*kernel.depth)) : q.extent(0);
  valueDepth = kernel.valueDepth ? Expr(int32_t(*kernel.valueDepth)) : v.extent(0);

  static_cast<ScoreProgramUse &>(*this) = useOfProgram(kernel, isMatrix, [this](const Expr &anyScore) {
    return apply(anyScore, {std::vector<Expr>(headRank, 0)}, 0, 0);
  });
}

GridIndices DeviceAttentionOperands::tile(const HeadPlace &at, const Expr &block) const {
  GridIndices indices = at.grid;
  insertRowBlock(indices, block, kernel.memberRows);
  indices.resize(gridRank, 0);
  return indices;
}

std::vector<Var> DeviceAttentionOperands::gridOrder(std::vector<Var> place, const Var &block) const {
  insertRowBlock(place, block, kernel.memberRows);
  return place;
}

ElementAt DeviceAttentionOperands::elementsAt(const HeadPlace &at, const Expr &row, const Expr &key) const {
  return [this, tile = tile(at), row, key](size_t number, const std::vector<Expr> &indices) -> Expr {
    const Capture &capture = kernel.program.captures[number];
    const DeviceOperand &operand = captures[number];
    if (capture.tableRank >= 0)
      return operand(tableIndices(indices, [&](int axis) { return operand.extent(axis); }), tile);
    return operand({capture.alongKeys ? key : 0, capture.alongRows ? row : 0}, tile);
  };
}

ScorePosition DeviceAttentionOperands::position(const HeadPlace &at, const Expr &row, const Expr &key) const {
  if (kernel.memberRows)
    return {at.batch(), at.head() * members + row, at.grid[2], key};
  return {at.batch(), kernel.grouped ? at.head() * members + at.grid[2] : at.head(), row, key};
}

ScoreAndVisible DeviceAttentionOperands::apply(const Expr &score, const HeadPlace &at, const Expr &row,
                                               const Expr &key) const {
  if (!kernel.program.apply)
    return {score, Expr()};
  return kernel.program.apply(score, position(at, row, key), elementsAt(at, row, key), extents);
}

Expr DeviceAttentionOperands::score(const Expr &dot, const HeadPlace &at, const Expr &row,
                                    const Expr &key) const {
  const ScoreAndVisible result = apply(dot, at, row, key);
  // A program may make and compare infinities.
  const Expr score = changesScore ? strict_float(result.score) : dot;
  return result.visible.defined() ? hideUnless(strict_float(result.visible), score) : score;
}

Expr DeviceAttentionOperands::visible(const HeadPlace &at, const Expr &row, const Expr &key) const {
  const ScoreAndVisible result = apply(number(accumulator, 0), at, row, key);
  return result.visible.defined() ? strict_float(result.visible) : Expr();
}

Expr DeviceAttentionOperands::weighed(const Expr &weight, const HeadPlace &at, const Expr &row,
                                      const Expr &key) const {
  return strict_float(
      kernel.program.weigh(weight, position(at, row, key), elementsAt(at, row, key), extents));
}

KeyRange DeviceAttentionOperands::visibleKeys(const HeadPlace &at, const Expr &first,
                                              const Expr &last) const {
  if (!kernel.program.visibleKeys)
    return {0, keys};
  const ElementAt element = elementsOfRanges(elementsAt(at, 0, 0));
  const Expr from = kernel.memberRows ? at.grid[2] : first, to = kernel.memberRows ? at.grid[2] : last;
  return rangeWithin(kernel.program.visibleKeys(from, to, keys, element, extents), {0, keys});
}

Expr DeviceAttentionOperands::query(const HeadPlace &at, const Expr &d, const Expr &row) const {
  return cast(accumulator, q({d, min(row, lastOf(rows))}, tile(at))) * queryFactor;
}

Expr DeviceAttentionOperands::key(const HeadPlace &at, const Expr &d, const Expr &key) const {
  return cast(accumulator, k({d, min(key, lastOf(keys))}, tile(at)));
}

Expr DeviceAttentionOperands::value(const HeadPlace &at, const Expr &column, const Expr &key) const {
  return cast(accumulator, v({column, min(key, lastOf(keys))}, tile(at)));
}

Expr DeviceAttentionOperands::listed(const HeadPlace &at, const Expr &queryBlock, const Expr &entry) const {
  return list({clamp(entry, 0, lastOf(list.extent(0)))}, tile(at, queryBlock));
}

Expr DeviceAttentionOperands::listedBlocks(const HeadPlace &at, const Expr &queryBlock) const {
  return counts({0}, tile(at, queryBlock)) + counts({1}, tile(at, queryBlock));
}

RowState DeviceAttentionOperands::initialState(const HeadPlace &at, const Expr &row) const {
  const Expr lowest = lowestScore(accumulator);
  if (!kernel.hasSink)
    return {lowest, number(accumulator, 0)};
  const Expr score = strict_float(cast(accumulator, sink({kernel.memberRows ? row : 0}, tile(at))) *
                                  number(accumulator, naturalUnit ? 1 : log2e));
  const Expr largest = largerOf(score, lowest);
  return {largest, exp2OnDevice(strictDifference(score, largest) * unit)};
}

std::vector<Expr> DeviceAttentionOperands::statistics(const RowState &state) const {
  const auto &[found, sum] = state;
  const Expr isEmpty = strict_float(sum == number(accumulator, 0));
  const Expr largest =
      naturalUnit ? found : choose(isEmpty, found, strict_float(found * number(accumulator, ln2)));
  std::vector<Expr> values;
  if (kernel.statistics)
    values = {largest, sum};
  if (kernel.logSumExp)
    values.push_back(hideUnless(!isEmpty, strict_float(largest + logarithm(sum))));
  return values;
}

void DeviceAttentionOperands::append(DeviceFunction &function, const DeviceOperand &operand) const {
  function.arguments.push_back(operand.image);
  function.operands.push_back(operand.image.name());
}

void DeviceAttentionOperands::appendTo(DeviceFunction &function,
                                       const std::vector<const DeviceOperand *> &before) const {
  function.arguments.insert(function.arguments.end(), extentParams.begin(), extentParams.end());
  for (const DeviceOperand *operand : before)
    append(function, *operand);
  for (const DeviceOperand &capture : captures)
    append(function, capture);
}

} // namespace heed::kernels
